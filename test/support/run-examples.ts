import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { privateKeyToAccount } from 'viem/accounts'
import { operations } from '../../api/pages/operations.ts'
import { signAuthorization } from '../../client/signing/sign-authorization.ts'
import { signOrder } from '../../client/signing/sign-order.ts'
import { signRequest } from '../../client/signing/sign-request.ts'
import { type Example, type Own, takenBy } from '../../protocol/examples/example.ts'
import { exampleOf } from '../../protocol/examples/examples.ts'
import { exampleTarget, type ResolvedExample, resolveExample, valueAt } from './resolve-example.ts'

/** Service and account that examples are sent to, as in a ready file. */
export type ExampleHome = {
  readonly base_url: string
  readonly environment: string
  /** null: only public operations are sent, without a key. */
  readonly account: {
    readonly account_id: string
    readonly key_id: string
    readonly secret: string
    readonly owner_private_key: string
  } | null
}

/** An example as it was sent, and what it was answered. */
export type SentExample = {
  readonly operation_id: string
  readonly method: string
  readonly target: string
  readonly body: Readonly<Record<string, unknown>> | null
  readonly status: number
  /** Parsed JSON, or the text of another type. */
  readonly answer: unknown
}

/** Sends the example of an operation, after the examples that it needs. */
export async function sendExample(home: ExampleHome, operation_id: string): Promise<SentExample> {
  const example = exampleOf(operation_id)
  if (example === null) throw new TypeError(`${operation_id} has no example`)
  const answers = new Map<string, Promise<SentExample>>()
  const answerOf = async (of: string) => {
    const asked = answers.get(of) ?? sendExample(home, of)
    answers.set(of, asked)
    return (await asked).answer
  }
  const taken = takenBy(example)
  const isThere = async () =>
    (await Promise.all(taken.map(async ({ from, at }) => valueAt(await answerOf(from), at)))).every(Boolean)
  if (example.if_none !== true || !(await isThere())) {
    for (const before of example.after ?? []) await sendExample(home, before)
    answers.clear()
  }
  const resolved = await resolveExample(example, { own: (name) => ownValue(home, name), answerOf })
  return send(home, operation_id, resolved, await signed(home, example, resolved))
}

function ownValue({ account, environment }: ExampleHome, name: Own['own']): string {
  if (name === 'account_id' || name === 'key_id') return account?.[name] ?? ''
  if (name === 'environment') return environment
  const random = randomBytes(10)
  return name === 'unique' ? BigInt(`0x${random.toString('hex')}`).toString() : `key_${random.toString('hex')}`
}

/** Adds the signatures that the body of an example needs. */
async function signed(home: ExampleHome, { signs, scopes }: Example, { path, body }: ResolvedExample) {
  const { account, environment } = home
  if (account === null) return body
  const owner = { kind: 'eoa', account: privateKeyToAccount(account.owner_private_key as `0x${string}`) } as const
  const order = (terms: unknown) => signOrder(terms as Parameters<typeof signOrder>[0], owner, environment)
  if (body === null || signs === undefined) return body
  if (signs === 'order') return { ...body, ...(await order(body)) }
  if (signs === 'orders') {
    const orders = (body.orders as object[]).map(async (one) => ({ ...one, ...(await order(one)) }))
    return { ...body, orders: await Promise.all(orders) }
  }
  const key_id = String(body.key_id ?? path.key_id)
  const consent = { account_id: account.account_id, key_id, scopes: scopes ?? [] }
  return { ...body, ...(await signAuthorization(consent, owner, environment)) }
}

async function send(
  home: ExampleHome,
  operation_id: string,
  resolved: ResolvedExample,
  body: Readonly<Record<string, unknown>> | null,
): Promise<SentExample> {
  const { method, path, parameters } = operations().get(operation_id)!
  const target = exampleTarget(path, resolved)
  const text = body === null ? '' : JSON.stringify(body)
  const once = parameters.some(({ name }) => name === 'Idempotency-Key')
    ? { 'Idempotency-Key': randomBytes(8).toString('hex') }
    : {}
  const type = body === null ? {} : { 'Content-Type': 'application/json' }
  for (;;) {
    const headers = { ...accessOf(home, method, target, text), ...once, ...type }
    const answer = await fetch(`${home.base_url}${target}`, {
      method,
      headers,
      ...(body === null ? {} : { body: text }),
    })
    const content = await answer.text()
    const is_json = answer.headers.get('content-type')?.startsWith('application/json') === true
    const parsed: unknown = is_json ? JSON.parse(content) : content
    const { retry_after_ms } = (parsed as { error?: { retry_after_ms?: number } }).error ?? {}
    // Refused for the moment: tokens that come back, or a machine that is busy. A proof may wait for a log that nobody serves.
    if (answer.status !== 429 && answer.status !== 503)
      return { operation_id, method, target, body, status: answer.status, answer: parsed }
    await sleep(retry_after_ms ?? 100)
  }
}

/** Headers of a signed request; a public operation takes a key as well, and then has its rate. Files of the log take none. */
function accessOf({ account, environment }: ExampleHome, method: string, target: string, body: string) {
  if (account === null || !target.startsWith('/v1/')) return {}
  const key = { key_id: account.key_id, secret: account.secret, environment, algorithm: 'hmac-sha256' } as const
  return signRequest({ method, target, body }, key)
}

/** Sends examples one after the other, and returns those that are not answered as they say. */
export async function wrongExamples(home: ExampleHome, operation_ids: readonly string[]): Promise<readonly string[]> {
  const wrong: string[] = []
  for (const id of operation_ids) {
    const { status, target, answer } = await sendExample(home, id)
    const { code = null, message = '' } = (answer as { error?: { code: string; message: string } }).error ?? {}
    const is_right = code === (exampleOf(id)!.refused_with ?? null) && (code !== null || status < 300)
    if (!is_right) wrong.push(`${id}: ${status} ${target}: ${message}`)
  }
  return wrong
}
