import { DOMAIN_FIELDS, type Hex } from '../../../protocol/signing/typed-data.ts'
import { ApiError } from '../../data/api-error.ts'
import type { OrderSigner, TypedToSign } from './order-signer.ts'

/** Provider that a browser wallet injects into the page (EIP-1193). */
export type WalletProvider = {
  readonly request: (call: { readonly method: string; readonly params?: readonly unknown[] }) => Promise<unknown>
}

/** Asks a wallet for its account. @throws {ApiError} WALLET_REFUSED */
export async function walletSigner(provider: WalletProvider): Promise<OrderSigner> {
  const accounts = await asked(provider, 'eth_requestAccounts', [])
  const [address] = Array.isArray(accounts) ? accounts : []
  if (typeof address !== 'string') throw refusal('The wallet returned no account.')
  return {
    kind: 'wallet',
    address: address.toLowerCase() as Hex,
    sign: async (typed) => String(await asked(provider, 'eth_signTypedData_v4', [address, walletText(typed)])) as Hex,
  }
}

/** Formats a message for eth_signTypedData_v4: with the domain's type, and integers as digits. */
function walletText({ domain, primary_type, fields, message }: TypedToSign): string {
  const types = { EIP712Domain: DOMAIN_FIELDS, [primary_type]: fields }
  return JSON.stringify({ domain, types, primaryType: primary_type, message }, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
}

async function asked(provider: WalletProvider, method: string, params: readonly unknown[]): Promise<unknown> {
  try {
    return await provider.request({ method, params })
  } catch (error) {
    const { message } = error as { message?: unknown }
    throw refusal(`The wallet rejected ${method}: ${String(message ?? error)}`)
  }
}

function refusal(message: string): ApiError {
  return new ApiError('WALLET_REFUSED', message, {})
}
