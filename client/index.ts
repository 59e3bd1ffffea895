/** `tidemark/client`: the private API of an account, signed requests and orders, and how a published level is verified. */

export { applyChanges as applyKnowledgeChanges, type KnowledgeChange } from '../pipelines/index/knowledge-diff.ts'
export { ORDER_DEFAULTS, type WantedOrder } from '../protocol/order/order-terms.ts'
export type { CancelScope } from '../protocol/requests/order-request.ts'
export type { EverythingReport } from './everything/report.ts'
export { type VerifyEverythingOptions, verifyEverything } from './everything/verify-everything.ts'
export type { LogFiles } from './http/log-files.ts'
export { createPublicApi, type PublicApi } from './http/public-api.ts'
export { createPublicClient, type PublicClient, type PublicClientOptions } from './http/public-client.ts'
export { newEd25519Key } from './signing/new-ed25519-key.ts'
export { signAuthorization } from './signing/sign-authorization.ts'
export { newOrderNonce, type SignedOrderBody, signOrder } from './signing/sign-order.ts'
export { type RequestKey, type RequestToSend, type SignedHeaders, signRequest } from './signing/sign-request.ts'
export { signStreamAuth } from './signing/sign-stream-auth.ts'
export type { MessageSigner } from './signing/typed-signer.ts'
export {
  type AccountMirror,
  createAccountMirror,
  type MirroredAccount,
  type Reconciliation,
} from './trading/account-mirror.ts'
export type { KeyCalls, KeyTerms } from './trading/api-keys.ts'
export type { Credentials } from './trading/credentials.ts'
export type { Once } from './trading/once.ts'
export type { OrderTerms } from './trading/order-terms.ts'
export type { PrivateAnswer, PrivateHttp, PrivateRequest } from './trading/private-http.ts'
export type { RetryRule } from './trading/retry-rule.ts'
export {
  type AccountStream,
  type AccountStreamOptions,
  createAccountStream,
  type FollowOptions,
} from './trading/stream/account-stream.ts'
export type { TopicChange, TopicListener } from './trading/stream/followed-topic.ts'
export { createOrderSocket, type OrderSocket, type OrderSocketOptions } from './trading/stream/order-socket.ts'
export type { OpenSocket, StreamSocket } from './trading/stream/stream-socket.ts'
export {
  type CancelConditions,
  createTradingClient,
  type EquityRange,
  type FillFilter,
  type OrderFilter,
  type PastRange,
  type PositionFilter,
  type SettlementFilter,
  type StatementFilter,
  type TradingClient,
  type TradingClientOptions,
  type TransferFilter,
  type TransferTerms,
  type WantedQuote,
} from './trading/trading-client.ts'
export { type ErrorObject, isTradingError, TradingError } from './trading/trading-error.ts'
export type {
  WebhookCalls,
  WebhookChanges,
  WebhookEventFilter,
  WebhookReplay,
  WebhookTerms,
} from './trading/webhooks.ts'
export { type VerifyLogOverHttpOptions, verifyLogOverHttp } from './transparency/log-over-http.ts'
export { verifyRecord, verifySavedReceipt } from './transparency/verify-saved.ts'
export { type Recomputed, recomputeBand, recomputeRobustness } from './verify/recompute-robustness.ts'
export { verifyOverHttp } from './verify/verify-over-http.ts'
export {
  type ReceivedWebhook,
  type VerifiedWebhook,
  verifyWebhook,
  type WebhookRefusal,
} from './webhooks/verify-webhook.ts'
