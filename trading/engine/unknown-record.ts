import { type ErrorFacts, refusedValue } from '../../primitives/errors.ts'

/** Records of an account that reads and writes name: the code when it has none, the naming field, and which values exist. */
export const ACCOUNT_RECORDS = {
  api_key: { code: 'API_KEY_NOT_FOUND', field: 'key_id', allowed: 'a key of GET /v1/account/api-keys' },
  client_order: { code: 'ORDER_NOT_FOUND', field: 'client_order_id', allowed: 'that of an order of GET /v1/orders' },
  order: { code: 'ORDER_NOT_FOUND', field: 'order_id', allowed: 'an order of GET /v1/orders' },
  protection: {
    code: 'PROTECTION_NOT_FOUND',
    field: 'market_id',
    allowed: 'a market of GET /v1/account/market-maker-protections',
  },
  webhook: { code: 'WEBHOOK_NOT_FOUND', field: 'webhook_id', allowed: 'a webhook of GET /v1/webhooks' },
  transfer: { code: 'TRANSFER_NOT_FOUND', field: 'transfer_id', allowed: 'a transfer of GET /v1/account/transfers' },
} as const

type Unknown = {
  readonly code: (typeof ACCOUNT_RECORDS)[keyof typeof ACCOUNT_RECORDS]['code']
  readonly message: string
  readonly facts: ErrorFacts
}

/** Returns why a write is refused whose record the account does not have, in the words of a read; another account's is not revealed. */
export function unknownRecord(record: keyof typeof ACCOUNT_RECORDS, value: string): Unknown {
  const { code, field, allowed } = ACCOUNT_RECORDS[record]
  const { message, facts } = refusedValue(code, field, value, allowed)
  return { code, message, facts }
}
