import { ServiceError } from '../../primitives/errors.ts'

/** Read access to a chain. */
export type Chain = {
  /** Number of the newest block, as decimal digits. */
  blockNumber(): Promise<string>
  /**
   * Returns the result of a contract call at a block, hex with 0x; null where the call fails in the contract.
   * @throws {ServiceError} SERVICE_UNAVAILABLE: the node did not answer, or not in this form
   */
  call(to: string, data: string, block_number: string): Promise<string | null>
}

const TIMEOUT_MS = 3_000
/** Gas limit of a call; a contract that would spend more counts as rejecting. */
const GAS = '0x1e8480'
const ANSWER_BYTES_MAX = 65_536
const HEX = /^0x[0-9a-fA-F]*$/
/** Messages by which nodes report that the call failed in the contract; code 3 is a revert (geth, anvil, erigon). */
const ENDED_IN_CONTRACT = /revert|out of gas|invalid opcode|invalid jump|stack (under|over)flow|EVM error/i

type RpcAnswer = { readonly result?: unknown; readonly error?: { readonly code?: unknown; readonly message?: unknown } }

/** Creates a chain reader over the JSON-RPC address of one of its nodes. */
export function createChain(rpc_url: string): Chain {
  return {
    blockNumber: async () => {
      const { result } = await ask(rpc_url, 'eth_blockNumber', [])
      if (typeof result !== 'string' || !HEX.test(result)) throw unavailable('it named no block')
      return BigInt(result).toString()
    },
    call: async (to, data, block_number) => {
      const block = `0x${BigInt(block_number).toString(16)}`
      const { result, error } = await ask(rpc_url, 'eth_call', [{ to, data, gas: GAS }, block])
      if (typeof result === 'string' && HEX.test(result)) return result
      if (error?.code === 3 || ENDED_IN_CONTRACT.test(String(error?.message))) return null
      throw unavailable(`it answered ${JSON.stringify(error?.message ?? result)}`)
    },
  }
}

async function ask(url: string, method: string, params: readonly unknown[]): Promise<RpcAnswer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return JSON.parse(await limitedText(response)) as RpcAnswer
  } catch (error) {
    throw unavailable('it did not answer', error)
  }
}

async function limitedText(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.length
    if (bytes > ANSWER_BYTES_MAX) throw unavailable('its answer is too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function unavailable(what: string, cause?: unknown): ServiceError {
  return new ServiceError(
    'SERVICE_UNAVAILABLE',
    `the chain's node cannot be asked for the contract: ${what}`,
    {},
    cause,
  )
}
