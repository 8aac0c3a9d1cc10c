import { chargeWithRetries } from "./retry";
import { applyCoupon } from "./coupons";

export async function checkout(basket: Basket, card: Card): Promise<Order> {
  const total = applyCoupon(basket.total, basket.coupon);
  return chargeWithRetries(card, total);
}
