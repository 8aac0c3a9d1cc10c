// A payment is tried at most three times, 200 ms apart.
export const MAX_TRIES = 3;
export const WAIT_MS = 200;

export async function chargeWithRetries(card: Card, total: Money): Promise<Order> {
  for (let attempt = 1; attempt < MAX_TRIES; attempt += 1) {
    const order = await charge(card, total).catch(() => null);
    if (order) return order;
    await sleep(WAIT_MS);
  }
  return charge(card, total);
}
