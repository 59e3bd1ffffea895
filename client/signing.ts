/** `tidemark-client/signing`: signatures of requests, stream connections, orders and authorizations. */

export { ORDER_DEFAULTS, type WantedOrder } from '../protocol/order/order-terms.ts'
export { newEd25519Key } from './signing/new-ed25519-key.ts'
export { newSignerKey } from './signing/new-signer-key.ts'
export { type SignedAuthorization, signAuthorization, type WantedAuthorization } from './signing/sign-authorization.ts'
export { newOrderNonce, type SignedOrderBody, signOrder } from './signing/sign-order.ts'
export { type RequestKey, type RequestToSend, type SignedHeaders, signRequest } from './signing/sign-request.ts'
export { type AuthMessage, signStreamAuth } from './signing/sign-stream-auth.ts'
export type { MessageSigner, TypedData, TypedDataAccount } from './signing/typed-signer.ts'
