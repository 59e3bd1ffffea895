import { keccak256, stringToHex } from 'viem/utils'
import { authorizationMessage } from '../../protocol/signing/authorization-message.ts'
import { scopesHash } from '../../protocol/signing/scopes.ts'
import { AUTHORIZATION_TYPE, type Hex, MESSAGE_VERSION, typedDomain } from '../../protocol/signing/typed-data.ts'
import { keySigner } from '../trading/signing/key-signer.ts'
import { newOrderNonce, type OrderTerms, signedOrder } from '../trading/signing/signed-order.ts'
import type { TypedKey } from './keys.ts'
import type { FormFacts } from './try-request.ts'

type Body = Readonly<Record<string, unknown>>
/** Signature that a body carries: of one order, of each of `orders`, or the owner's consent to a key. */
type Signs = NonNullable<FormFacts['signs']>
/** Consent to a key of these scopes. @param path_key_id  key in the path; of a new key the body names it */
type Consent = { readonly scopes: readonly string[]; readonly path_key_id: string }

/** Adds the signatures that a body needs, made with the private key of the form. @throws what the message refuses */
export async function signBody(body: Body, signs: Signs, key: TypedKey, consent: Consent): Promise<Body> {
  const signer = keySigner(key.owner as Hex)
  const order = async (terms: unknown) => signedOrder(terms as OrderTerms, signer, key.environment)
  if (signs === 'order') return { ...body, ...(await order(body)) }
  if (signs === 'orders') return { ...body, orders: await Promise.all((body.orders as readonly unknown[]).map(order)) }
  const authorization = {
    owner: signer.address,
    signer: signer.address,
    account: key.account_id,
    api_key_id: String(body.key_id ?? consent.path_key_id),
    scopes_hash: scopesHash((body.scopes as readonly string[] | undefined) ?? consent.scopes, keccak),
    environment: key.environment,
    issued_at: Math.floor(Date.now() / 1000),
    expiry: 0,
    nonce: newOrderNonce(),
    authorization_version: MESSAGE_VERSION,
  }
  const { name, fields } = AUTHORIZATION_TYPE
  const domain = typedDomain(name, key.environment, keccak)
  const message = authorizationMessage(authorization)
  const authorization_signature = await signer.sign({ domain, primary_type: name, fields, message })
  return { ...body, authorization, authorization_signature, signature_type: 'eoa' }
}

const keccak = (text: string): Hex => keccak256(stringToHex(text))
