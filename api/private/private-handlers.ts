import type { PrivateHandlers } from './private-request.ts'
import { ACCOUNT_READ_ROUTES } from './routes/account-reads.ts'
import { FILL_READ_ROUTES } from './routes/fill-reads.ts'
import { KEY_ROUTES } from './routes/key-routes.ts'
import { ORDER_READ_ROUTES } from './routes/order-reads.ts'
import { ORDER_WRITE_ROUTES } from './routes/order-writes.ts'
import { SETTLEMENT_READ_ROUTES } from './routes/settlement-reads.ts'

/** What answers each operation of the private endpoints. */
export const PRIVATE_HANDLERS: PrivateHandlers = {
  ...KEY_ROUTES,
  ...ORDER_WRITE_ROUTES,
  ...ORDER_READ_ROUTES,
  ...FILL_READ_ROUTES,
  ...ACCOUNT_READ_ROUTES,
  ...SETTLEMENT_READ_ROUTES,
}
