/** Operations of the private contract whose own name differs from the short one, by the short one. */
const NAMES = {
  preview: 'previewOrder',
  orders: 'listOrders',
  order: 'getOrder',
  orderByClientId: 'getOrderByClientId',
  queuePosition: 'getQueuePosition',
  cancelByClientId: 'cancelOrderByClientId',
  cancelAll: 'cancelAllOrders',
  cancelAfter: 'setCancelAfter',
  protect: 'setMarketMakerProtection',
  protections: 'listMarketMakerProtections',
  protection: 'getMarketMakerProtection',
  resetProtection: 'resetMarketMakerProtection',
  removeProtection: 'removeMarketMakerProtection',
  fills: 'listFills',
  fill: 'getFill',
  adjustments: 'listAdjustments',
  positions: 'listPositions',
  marketPositions: 'getMarketPositions',
  balances: 'listBalances',
  policy: 'getAccountPolicy',
  redemptionPreview: 'getRedemptionPreview',
  settlements: 'listSettlements',
  settlement: 'getSettlement',
  statement: 'listStatement',
  summary: 'getAccountSummary',
  equityHistory: 'listEquityHistory',
  feeSchedules: 'listFeeSchedules',
  transfers: 'listTransfers',
  transfer: 'getTransfer',
} as const

const KEY_NAMES = {
  create: 'createApiKey',
  list: 'listApiKeys',
  rotate: 'rotateApiKey',
  revoke: 'revokeApiKey',
  signers: 'listSigners',
  auditLog: 'listApiKeyAudit',
} as const

const WEBHOOK_NAMES = {
  create: 'createWebhook',
  list: 'listWebhooks',
  get: 'getWebhook',
  update: 'updateWebhook',
  rotateSecret: 'rotateWebhookSecret',
  test: 'testWebhook',
  replay: 'replayWebhook',
  deliveries: 'listWebhookDeliveries',
  events: 'listWebhookEvents',
  delete: 'deleteWebhook',
} as const

type Renamed<Calls, Names extends Readonly<Record<string, string>>> = {
  readonly [Short in keyof Names & keyof Calls as Names[Short]]: Calls[Short]
}
type Grouped = { readonly keys: object; readonly webhooks: object }

/** Each operation of the private contract under its own name in camelCase: `list_orders` is `listOrders`. */
export type OperationMethods<Calls extends Grouped> = Renamed<Calls, typeof NAMES> &
  Renamed<Calls['keys'], typeof KEY_NAMES> &
  Renamed<Calls['webhooks'], typeof WEBHOOK_NAMES>

/** Gives each operation of the private contract its own name. */
export function operationMethods<Calls extends Grouped>(calls: Calls): OperationMethods<Calls> {
  return {
    ...renamed(calls, NAMES),
    ...renamed(calls.keys, KEY_NAMES),
    ...renamed(calls.webhooks, WEBHOOK_NAMES),
  } as OperationMethods<Calls>
}

function renamed(calls: object, names: Readonly<Record<string, string>>): object {
  const of_short = calls as Readonly<Record<string, unknown>>
  return Object.fromEntries(Object.entries(names).map(([short, name]) => [name, of_short[short]]))
}
