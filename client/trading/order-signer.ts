import { checkedList } from '../given.ts'
import { signOrder } from '../signing/sign-order.ts'
import type { MessageSigner } from '../signing/typed-signer.ts'
import { asTidemarkError, clientError, type TidemarkError } from '../tidemark-error.ts'
import type { Once } from './once.ts'
import { checkedTerms, type OrderTerms, wantedOrder } from './order-terms.ts'
import { madeParts } from './repeatable.ts'

/** Account that orders are signed for. */
type Owner = {
  readonly account_id: string
  readonly asset_id: string
  readonly environment: string
  readonly signer: () => MessageSigner
}

/** Names the item of a list in the error about it. */
async function named<T>(item: string, signed: Promise<T>): Promise<T> {
  try {
    return await signed
  } catch (error) {
    const { code, message } = asTidemarkError(error) as TidemarkError
    throw clientError(code, `${item}: ${message}`, false, error)
  }
}

/** Creates the signing of the orders of an account; a repeat of a key and its terms gives the same body. */
export function createOrderSigner({ account_id, asset_id, environment, signer }: Owner) {
  /** Signs one order. @param within  what tells orders of one key apart, such as their ordinal */
  const sign = async (terms: OrderTerms, once?: Once, within: readonly unknown[] = []) => {
    const given = checkedTerms(terms)
    const made = madeParts({ idempotency_key: once?.idempotency_key, of: [account_id, asset_id, within, given] })
    return {
      ...(await signOrder(wantedOrder(given, account_id, asset_id, made), signer(), environment)),
      ...(given.labels === undefined ? {} : { labels: given.labels }),
    }
  }
  const signAll = async (all: readonly OrderTerms[], once?: Once, within: readonly unknown[] = []) =>
    Promise.all(checkedList(all, 'orders').map((terms, n) => named(`orders[${n}]`, sign(terms, once, [...within, n]))))
  return { sign, signAll }
}
