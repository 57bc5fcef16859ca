export { acmeLimits } from './limits.ts'
export type { AcmeSettings } from './order.ts'
export { AcmeOrders } from './orders.ts'
