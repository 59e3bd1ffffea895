/** `tidemark-client`: reads what a service publishes, and trades on it with signed requests and orders. */

export { CONTRACT_VERSION } from './contract/operations.ts'
export type { PublicTopicName, PublicTopics } from './contract/topics.ts'
export type * from './contract/types.ts'
export {
  addDecimals,
  compareDecimals,
  type Decimal,
  decimal,
  multiplyDecimals,
  subtractDecimals,
} from './decimals.ts'
export type { Call } from './http/call.ts'
export type { LogFiles } from './http/log-files.ts'
export type { AnswerApi, OnWait } from './http/public-api.ts'
export { createPublicClient, type PublicClient, type PublicClientOptions } from './http/public-client.ts'
export type { Exchange, Fetch, OnExchange } from './http/transport.ts'
export * from './signing.ts'
export { applyBookChange } from './stream/apply-book-change.ts'
export type { PublicChange } from './stream/followed-public-topic.ts'
export {
  createPublicStream,
  type FollowPublicOptions,
  type PublicStream,
  type PublicStreamOptions,
  type PublicSubscription,
} from './stream/public-stream.ts'
export {
  type ErrorObject,
  type FieldViolation as ErrorField,
  isTidemarkError,
  TidemarkError,
} from './tidemark-error.ts'
export {
  type AccountMirror,
  createAccountMirror,
  type MirroredAccount,
  type Reconciliation,
} from './trading/account-mirror.ts'
export type { KeyCalls, KeyTerms } from './trading/api-keys.ts'
export type { Credentials } from './trading/credentials.ts'
export type * from './trading/filters.ts'
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
export type { PrivateTopicName, Resume } from './trading/stream/topic-resources.ts'
export {
  type AccountCalls,
  createTradingClient,
  type TradingClient,
  type TradingClientOptions,
} from './trading/trading-client.ts'
export type {
  WebhookCalls,
  WebhookChanges,
  WebhookEventFilter,
  WebhookReplay,
  WebhookTerms,
} from './trading/webhooks.ts'
export {
  type ReceivedWebhook,
  type VerifiedWebhook,
  verifyWebhook,
  type WebhookRefusal,
} from './webhooks/verify-webhook.ts'
