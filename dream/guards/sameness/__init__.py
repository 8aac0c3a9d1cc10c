"""Whether one wording holds all that another says: what two statements may differ in and still be one."""
