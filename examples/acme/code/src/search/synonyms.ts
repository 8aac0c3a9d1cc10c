export const SYNONYMS = new Map([["mug", "cup"], ["sofa", "couch"]]);
