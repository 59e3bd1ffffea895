import { beforeEach, describe, expect, test } from 'vitest'
import { newEd25519Key } from '../../../client/signing/new-ed25519-key.ts'
import { formatMicros } from '../../../primitives/instants.ts'
import { signAct } from '../../../service/trading/operator-key-file.ts'
import { commandHash } from '../../../trading/auth/operator-act-text.ts'
import { verifyStoredAct } from '../../../trading/engine/authorize-act.ts'
import { OPERATOR_KEYS_MAX } from '../../../trading/engine/operator-keys.ts'
import type { Operate, OperatorCommand } from '../../../trading/engine/submission.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { MemoryEngine } from '../support/memory-engine.ts'

const HOUR = 3_600_000_000
const keyOf = (operator_id: string, operator_key_id = `opk_${operator_id}`) => ({
  ...{ operator_id, operator_key_id },
  ...newEd25519Key(),
})
type Key = ReturnType<typeof keyOf>

let engine: MemoryEngine
let maker: SubmissionMaker
const [ann, bob, cyd] = [keyOf('ann'), keyOf('bob'), keyOf('cyd')]

type How = {
  readonly actor?: string
  readonly by?: readonly Key[]
  readonly issued_at?: string
  readonly deployment?: string
  /** Alters each signature. */
  readonly form?: (hex: string) => string
}

/** An act of a command, signed by some keys. */
function signed(command: OperatorCommand, { actor = 'ann', by = [ann], ...how }: How = {}): Operate {
  const { issued_at = formatMicros(engine.now), deployment = ann.operator_key_id } = how
  const act = { ...maker.operate(command), actor, issued_at }
  const text = { ...act, command_hash: commandHash(command) }
  const { form = (hex) => hex } = how
  const signatures = by.map((key) => signAct(key, deployment, text))
  return { ...act, signatures: signatures.map((one) => ({ ...one, signature: form(one.signature) })) }
}

function registering(key: Key, approved_by: string | null = null, environment = 'production') {
  const { operator_id, operator_key_id, public_key } = key
  return {
    kind: 'register_operator_key',
    ...{ operator_key_id, operator_id, public_key, environment, approved_by },
  } as const
}

const revoking = ({ operator_key_id }: Key, approved_by: string | null = null) =>
  ({ kind: 'revoke_operator_key', operator_key_id, approved_by }) as const

const pause = { kind: 'move_market', market_id: 'mkt_1', to: 'paused' } as const
const deposit = (approved_by?: string) =>
  ({
    kind: 'deposit',
    ...{ transfer_id: `xfer_${Math.random()}`, account_id: 'acct_a', asset_id: 'asset_usd', amount: '5' },
    ...(approved_by !== undefined && { approved_by }),
  }) as const
const refused = (field: string) => ({ status: 400, error: { facts: expect.objectContaining({ field }) } })

/** A world with two operators: ann, who is the root, and bob. */
beforeEach(() => {
  engine = new MemoryEngine()
  maker = new SubmissionMaker()
  engine.submit(...maker.setUp(['acct_a'], '1000'))
  expect(engine.ask(maker.operate(registering(ann))).status).toBe(200)
  expect(engine.ask(signed(registering(bob))).status).toBe(200)
})

describe('an act of a person', () => {
  test('is kept with its signatures, so that anybody can verify it', () => {
    const act = signed(pause)
    expect(engine.ask(act).status).toBe(200)
    const row = engine.rows('operator_act').at(-1)!
    expect(row).toMatchObject({ actor: 'ann', command_hash: commandHash(pause), signatures: act.signatures })
    const keys = new Map(engine.rows('operator_key').map((key) => [key.operator_key_id, key]))
    const stored = { ...row, issued_at: formatMicros(row.issued_at!), command_hash: row.command_hash! }
    expect(verifyStoredAct(keys, stored, row.signatures)).toBe(true)
    expect(verifyStoredAct(keys, { ...stored, reason: 'another' }, row.signatures)).toBe(false)
  })

  test.each<[string, (act: Operate) => Operate, string]>([
    ['unsigned', ({ signatures: _, ...act }) => act, 'signatures'],
    ['with another reason', (act) => ({ ...act, reason: 'another' }), 'signature'],
    ['with another actor', (act) => ({ ...act, actor: 'bob' }), 'signature'],
    ['with another command', (act) => ({ ...act, command: { ...pause, to: 'closed' } }), 'signature'],
    ['under another id', (act) => ({ ...act, act_id: 'act_other' }), 'signature'],
    ['dated anew', (act) => ({ ...act, issued_at: formatMicros(engine.now + 1_000_000) }), 'signature'],
  ])('is refused %s', (_, alter, field) => {
    expect(engine.ask(alter(signed(pause)))).toMatchObject(refused(field))
  })

  test.each(['\0', '\ud800'])('is refused with the text %j, which no database keeps', (text) => {
    const command = { ...pause, note: { [text]: 1 } } as unknown as OperatorCommand
    expect(engine.ask(maker.operate(command))).toMatchObject(refused('command'))
    expect(engine.ask({ ...maker.operate(pause), reason: text })).toMatchObject(refused('command'))
  })

  test('repeated does nothing more; another command under its id is refused', () => {
    const act = signed(deposit('bob'), { by: [ann, bob] })
    expect(engine.ask(act).status).toBe(200)
    const acts = engine.rows('operator_act').length
    expect(engine.ask(act)).toMatchObject({ status: 200, data: { repeated: true } })
    const other = { ...act, command: { ...act.command, amount: '500' } as OperatorCommand }
    expect(engine.ask(other)).toMatchObject(refused('act_id'))
    expect(engine.rows('operator_act')).toHaveLength(acts)
  })

  test.each<[string, () => How, string]>([
    ['of another database', () => ({ deployment: 'opk_elsewhere' }), 'signature'],
    ['of a key that is not registered', () => ({ by: [cyd] }), 'operator_key_id'],
    ['of somebody else', () => ({ by: [bob] }), 'actor'],
    ['older than a day', () => ({ issued_at: formatMicros(engine.now - 25 * HOUR) }), 'issued_at'],
    ['from the future', () => ({ issued_at: formatMicros(engine.now + HOUR) }), 'issued_at'],
    ['with a signature in another form', () => ({ by: [ann], form: (hex) => hex.toUpperCase() }), 'signature'],
    ['with a longer signature', () => ({ by: [ann], form: (hex) => `${hex}zz` }), 'signature'],
    ['with a null as its signature', () => ({ by: [ann], form: () => null as unknown as string }), 'signature'],
    ['with more signatures than allowed', () => ({ by: [ann, ann, ann, ann, ann] }), 'signatures'],
  ])('is refused %s', (_, how, field) => {
    expect(engine.ask(signed(pause, how()))).toMatchObject(refused(field))
  })

  test('steps of services need nobody; an act under the name of a service does', () => {
    const step = { kind: 'submit_settlements', rail: 'test', attempts: [] } as const
    expect(engine.ask({ ...maker.operate(step), actor: 'workflow:settlement' }).status).toBe(200)
    expect(engine.ask({ ...maker.operate(pause), actor: 'workflow:settlement' })).toMatchObject(refused('signatures'))
    expect(engine.ask({ ...maker.operate(deposit('bob')), actor: 'workflow:listing' })).toMatchObject(
      refused('signatures'),
    )
    expect(engine.ask({ ...maker.operate(pause), actor: 'workflow:listing' }).status).toBe(200)
    // It disputes what its reference does not say, and corrects nothing that is final, whoever approves it.
    const dispute = { kind: 'dispute_resolution', resolution_id: 'res_none' } as unknown as OperatorCommand
    expect(engine.ask({ ...maker.operate(dispute), actor: 'workflow:listing' })).toMatchObject(refused('resolution_id'))
    const correct = { kind: 'correct_resolution', approved_by: 'ann' } as unknown as OperatorCommand
    expect(engine.ask(signed(correct, { actor: 'workflow:listing', by: [ann] }))).toMatchObject(refused('actor'))
  })
})

describe('where money moves', () => {
  test.each<[string, string | undefined, readonly Key[], string | null]>([
    ['without an approval', undefined, [ann], 'approved_by'],
    ['approved by the actor', 'ann', [ann], 'approved_by'],
    ['by two keys of one person', 'ann', [ann, ann], 'approved_by'],
    ['approved by a name that did not sign', 'bob', [ann], 'approved_by'],
    ['approved by a stranger', 'mallory', [ann, bob], 'approved_by'],
    ['signed by two people', 'bob', [ann, bob], null],
  ])('a deposit %s', (_, approved_by, by, field) => {
    const answer = engine.ask(signed(deposit(approved_by), { by }))
    if (field === null) expect(answer.status).toBe(200)
    else expect(answer).toMatchObject(refused(field))
  })

  test('another approver than the one who signed is refused, and so is another amount', () => {
    const act = signed(deposit('bob'), { by: [ann, bob] })
    expect(engine.ask({ ...act, command: { ...act.command, amount: '500' } as OperatorCommand })).toMatchObject(
      refused('signature'),
    )
    expect(engine.ask({ ...act, command: { ...act.command, approved_by: 'cyd' } as OperatorCommand })).toMatchObject(
      refused('signature'),
    )
  })

  test.each(['adjust_fill', 'reverse_settlement', 'correct_resolution'])(
    '%s needs two, and asks no record first',
    (kind) => {
      const command = { kind, approved_by: 'bob' } as unknown as OperatorCommand
      expect(engine.ask(signed(command))).toMatchObject(refused('approved_by'))
      expect(engine.ask({ ...signed(command), actor: 'workflow:listing', signatures: [] })).toMatchObject(
        refused('signatures'),
      )
    },
  )

  test('in a sandbox one person books deposits', () => {
    engine = new MemoryEngine()
    engine.submit(...maker.setUp(['acct_a'], '1000'))
    engine.ask(maker.operate(registering(ann, null, 'sandbox')))
    expect(engine.ask(signed(deposit())).status).toBe(200)
    // Who is named as the one who approved it has done so.
    expect(engine.ask(signed(deposit('bob')))).toMatchObject(refused('approved_by'))
    expect(engine.ask(signed(deposit('ann')))).toMatchObject(refused('approved_by'))
  })
})

describe('keys', () => {
  test('while nobody is registered acts need no signature', () => {
    const fresh = new MemoryEngine()
    fresh.submit(...maker.setUp(['acct_a']))
    expect(fresh.ask(maker.operate(pause)).status).toBe(200)
    expect(fresh.rows('operator_act').at(-1)).toMatchObject({ issued_at: null, signatures: [] })
  })

  test('once there are two people, two register a third', () => {
    expect(engine.ask(signed(registering(cyd)))).toMatchObject(refused('approved_by'))
    expect(engine.ask(signed(registering(cyd, 'bob'), { by: [ann, bob] })).status).toBe(200)
    expect(engine.ask(signed(pause, { actor: 'cyd', by: [cyd] })).status).toBe(200)
  })

  test('a revoked key signs nothing more; what it signed stays, and the last one cannot be revoked', () => {
    expect(engine.ask(signed(pause, { actor: 'bob', by: [bob] })).status).toBe(200)
    expect(engine.ask(signed(revoking(bob), { actor: 'bob', by: [bob] })).status).toBe(200)
    const open = { ...pause, to: 'open' } as const
    expect(engine.ask(signed(open, { actor: 'bob', by: [bob] }))).toMatchObject(refused('operator_key_id'))
    expect(engine.ask(signed(revoking(bob), { actor: 'bob', by: [bob] }))).toMatchObject(refused('operator_key_id'))
    expect(engine.ask(signed(revoking(ann)))).toMatchObject(refused('operator_key_id'))
    expect(engine.rows('operator_act').filter(({ actor }) => actor === 'bob')).toHaveLength(2)
  })

  test('the key of somebody else is revoked by two', () => {
    expect(engine.ask(signed(revoking(bob)))).toMatchObject(refused('approved_by'))
    expect(engine.ask(signed(revoking(bob, 'ann')))).toMatchObject(refused('approved_by'))
    expect(engine.ask(signed(registering(cyd, 'bob'), { by: [ann, bob] })).status).toBe(200)
    expect(engine.ask(signed(revoking(bob, 'cyd'), { by: [ann, cyd] })).status).toBe(200)
  })

  test('whoever is left alone names no second person: nothing that needs two is done by one', () => {
    expect(engine.ask(signed(revoking(bob), { actor: 'bob', by: [bob] })).status).toBe(200)
    expect(engine.ask(signed(registering(cyd)))).toMatchObject(refused('approved_by'))
    expect(engine.ask(signed(registering(cyd, 'bob'), { by: [ann, bob] }))).toMatchObject(refused('operator_key_id'))
    expect(engine.ask(signed(deposit('bob'), { by: [ann, bob] }))).toMatchObject(refused('operator_key_id'))
  })

  test('the root may be revoked: signatures name it as the database all the same', () => {
    expect(engine.ask(signed(revoking(ann))).status).toBe(200)
    expect(engine.ask(signed(pause, { actor: 'bob', by: [bob] })).status).toBe(200)
  })

  test.each<[string, Partial<ReturnType<typeof registering>>, string]>([
    ['of a weak point', { public_key: `01${'00'.repeat(31)}` }, 'public_key'],
    ['that is no key', { public_key: 'AB' }, 'public_key'],
    ['that somebody has', { public_key: bob.public_key }, 'public_key'],
    ['of a name with a colon', { operator_id: 'workflow:x' }, 'operator_id'],
    ['of another environment', { environment: 'sandbox' }, 'environment'],
  ])('a key %s is refused', (_, change, field) => {
    const command = { ...registering(cyd, 'bob'), ...change }
    expect(engine.ask(signed(command, { by: [ann, bob] }))).toMatchObject(refused(field))
  })

  test(`at most ${OPERATOR_KEYS_MAX} are registered`, () => {
    for (let n = 2; n < OPERATOR_KEYS_MAX; n += 1)
      expect(engine.ask(signed(registering(keyOf('dan', `opk_${n}`), 'bob'), { by: [ann, bob] })).status).toBe(200)
    const one_more = engine.ask(signed(registering(keyOf('dan', 'opk_more'), 'bob'), { by: [ann, bob] }))
    expect(one_more).toMatchObject(refused('operator keys'))
  })
})
