// Reads order-events and product-events, writes the search index in batches.
export const BATCH_SIZE = 500;

export async function index(events: AsyncIterable<Event>): Promise<void> {
  for await (const batch of batches(events, BATCH_SIZE)) await write(batch);
}
