export function applyCoupon(total: Money, coupon?: Coupon): Money {
  if (!coupon || coupon.expires < Date.now()) return total;
  return total.minus(coupon.amount);
}
