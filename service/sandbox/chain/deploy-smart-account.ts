import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '../../../primitives/errors.ts'
import { SMART_ACCOUNT_CODE } from './smart-account-code.ts'

const ATTEMPTS_MAX = 50
const AGAIN_MS = 100

/**
 * Deploys the smart account of an owner on a local chain. On a new chain, its first contract has the same address every time.
 * @param owner address, hex with 0x
 * @returns its address in lower case
 * @throws {ServiceError} SERVICE_UNAVAILABLE: the chain does not answer, or refuses it
 */
export async function deploySmartAccount(rpc_url: string, owner: string): Promise<string> {
  const [from] = (await ask(rpc_url, 'eth_accounts', [])) as string[]
  const data = `${SMART_ACCOUNT_CODE}${owner.slice(2).toLowerCase().padStart(64, '0')}`
  const hash = await ask(rpc_url, 'eth_sendTransaction', [{ from, data }])
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const receipt = (await ask(rpc_url, 'eth_getTransactionReceipt', [hash])) as Receipt | null
    if (receipt?.status === '0x1') return receipt.contractAddress.toLowerCase()
    if (receipt !== null) break
    await delay(AGAIN_MS)
  }
  throw new ServiceError('SERVICE_UNAVAILABLE', `the local chain at ${rpc_url} did not deploy the smart account`)
}

type Receipt = { readonly status: string; readonly contractAddress: string }

/** Asks the node of a local chain. @throws {ServiceError} SERVICE_UNAVAILABLE */
async function ask(rpc_url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  try {
    const answer = await fetch(rpc_url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { result, error } = (await answer.json()) as { result?: unknown; error?: { message: string } }
    if (error === undefined) return result
    throw new ServiceError('SERVICE_UNAVAILABLE', `the local chain at ${rpc_url} answered ${method}: ${error.message}`)
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw new ServiceError('SERVICE_UNAVAILABLE', `the local chain at ${rpc_url} does not answer ${method}`, {}, error)
  }
}
