import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signAuthorization } from '../../../client/signing/sign-authorization.ts'
import { signOrder } from '../../../client/signing/sign-order.ts'
import { createSignatureVerifier, type SignatureVerifier } from '../../../trading/auth/signature-verifier.ts'
import { pythonInterpreter } from '../../support/python-interpreter.ts'
import { seededRandom } from '../../support/random.ts'
import { SEED } from '../../support/seed.ts'
import { sized } from '../../support/sized.ts'
import { ROOT } from '../../support/source-files.ts'
import { REQUEST_VECTORS } from '../../support/trading/request-vectors.ts'
import { signatureCase } from '../../support/trading/signature-cases.ts'
import { VECTOR, VECTOR_ORDER } from '../../support/trading/signing-world.ts'

const python = pythonInterpreter('signing.txt', 'signatures of a second implementation')

type Answer = Readonly<Record<'digest' | 'domain_separator' | 'signature' | 'recovered' | 'canonical_request', string>>

/** One process for all tests: it takes longer to start than to answer. */
const oracle = spawn(python, [join(ROOT, 'tools/python/signing_oracle.py')], { stdio: ['pipe', 'pipe', 'inherit'] })
const lines = createInterface({ input: oracle.stdout })[Symbol.asyncIterator]()
afterAll(async () => {
  oracle.stdin.end()
  expect(await once(oracle, 'close')).toEqual([0, null])
})

/** Returns the answer of tools/python/signing_oracle.py to each task. */
async function ask(tasks: readonly object[]): Promise<Answer[]> {
  for (const task of tasks) oracle.stdin.write(`${JSON.stringify(task)}\n`)
  const answers: Answer[] = []
  for (const task of tasks) {
    const { value, done } = await lines.next()
    if (done === true) throw new Error(`no answer to ${JSON.stringify(task)}`)
    answers.push(JSON.parse(value) as Answer)
  }
  return answers
}

describe('Python with eth-account', () => {
  let verifier: SignatureVerifier
  beforeAll(async () => {
    verifier = await createSignatureVerifier({ environment: 'sandbox', recovery: 'native' })
  })
  afterAll(() => verifier.close())

  test('signs every vector of a request as it is written down', async () => {
    const answers = await ask(REQUEST_VECTORS.map(({ request, key }) => ({ kind: 'request', request, key })))
    expect(answers).toEqual(
      REQUEST_VECTORS.map(({ canonical_request, signature }) => ({
        canonical_request: canonical_request.join('\n'),
        signature,
      })),
    )
  })

  test('makes the decided digest and signature', async () => {
    const { environment, private_key, digest, signature } = VECTOR
    const [answer] = await ask([{ kind: 'order', body: VECTOR_ORDER, environment, private_key }])
    expect(answer).toMatchObject({ digest, signature, recovered: VECTOR.signer.toLowerCase() })
  })

  test('makes the digests of random orders, and finds the signers of those that are valid', async () => {
    const random = seededRandom(SEED)
    const cases = Array.from({ length: sized(100, 300) }, () => signatureCase(random)).map(
      ({ order, signature, expected }) => {
        return {
          kind: 'order',
          environment: 'sandbox',
          body: order,
          expected,
          ...(expected === 'valid' ? { verify: signature } : {}),
        }
      },
    )
    const answers = await ask(cases)
    for (const [n, { body, verify, expected }] of cases.entries()) {
      const outcome = await verifier.verifyOrder({ order: body, signature: verify ?? '0x', signature_type: 'eoa' })
      expect(outcome.digest).toBe(answers[n]!.digest)
      expect(outcome.verdict === null).toBe(expected === 'valid')
      if (verify !== undefined) expect(answers[n]!.recovered).toBe(body.signer)
      else expect(outcome.verdict?.facts?.domain_separator).toBe(answers[n]!.domain_separator)
    }
    expect(cases.filter(({ verify }) => verify !== undefined).length).toBeGreaterThan(10)
  })

  test('an order that it signs is taken, and the client signs it alike', async () => {
    const random = seededRandom(SEED + 1)
    const private_key = `0x${'07'.repeat(32)}` as const
    const account = privateKeyToAccount(private_key)
    const bodies = Array.from({ length: 50 }, () => {
      return { ...signatureCase(random).order, signer: account.address, outcome_id: 'out_ü ☂' }
    })
    const answers = await ask(bodies.map((body) => ({ kind: 'order', body, environment: 'sandbox', private_key })))
    for (const [n, body] of bodies.entries()) {
      const { signature } = answers[n]!
      expect((await verifier.verifyOrder({ order: body, signature, signature_type: 'eoa' })).verdict).toBeNull()
      const { order_signature } = await signOrder(body, { kind: 'eoa', account }, 'sandbox')
      expect(order_signature).toBe(signature)
    }
  })

  test('makes the digest and the signature of an authorization', async () => {
    const account = privateKeyToAccount(VECTOR.private_key)
    const key = { account_id: 'acct_test', key_id: 'key_0123456789abcdef', scopes: ['orders:write', 'account:read'] }
    const { authorization, authorization_signature } = await signAuthorization(key, { kind: 'eoa', account }, 'sandbox')
    const { private_key, environment } = VECTOR
    const [answer] = await ask([{ kind: 'authorization', body: authorization, environment, private_key }])
    const signature = authorization_signature
    const { digest, verdict } = await verifier.verifyAuthorization({
      authorization,
      key,
      signature,
      signature_type: 'eoa',
    })
    expect(answer).toMatchObject({ digest, signature })
    expect(verdict).toBeNull()
  })
})
