import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { formatMicros, MICROS_PER_DAY } from '../../primitives/instants.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import { person } from '../support/review-world.ts'
import { tidemark } from '../support/run-cli.ts'
import { tempFolder } from '../support/temp-folder.ts'

const home = tempFolder()
const file = (name: string) => join(home, name)
const run = (...argv: string[]) => tidemark(argv, { environment: { TIDEMARK_HOME: home } })
const json = async (...argv: string[]) => JSON.parse((await run(...argv, '--json')).stdout)
const admin = person('admin', 'administrator')
const overseer = person('overseer', 'oversight')
const day = (days: number) => formatMicros(Math.floor(wallClock() / 1e6) * 1e6 + days * MICROS_PER_DAY)
let member_key: string

beforeAll(async () => {
  mkdirSync(home, { recursive: true })
  writeFileSync(file('admin.pem'), admin.pem)
  writeFileSync(file('overseer.pem'), overseer.pem)
  writeFileSync(file('words.txt'), 'a passphrase\n')
  writeFileSync(file('wrong.txt'), 'another\n')
})

const rosterYaml = (expires_at: string) => `roster: { threshold: 1, expires_at: ${expires_at} }
members:
  - { actor_id: admin, name: Admin, roles: [administrator], public_key: "${admin.public_key}", valid_from: 2020-01-01T00:00:00Z, valid_to: null }
  - actor_id: member
    name: Member
    roles: [committee]
    keys: [{ public_key: "${member_key}", valid_from: 2020-01-01T00:00:00Z, valid_to: null }]
  - { actor_id: overseer, name: Overseer, roles: [oversight], public_key: "${overseer.public_key}", valid_from: 2020-01-01T00:00:00Z, valid_to: null }
`

test('a key is created for its owner alone, encrypted, and never over another', async () => {
  const made = await json('governance', 'key', file('member.pem'), '--passphrase-file', file('words.txt'))
  member_key = made.public_key
  expect(statSync(file('member.pem')).mode & 0o777).toBe(0o600)
  expect(readFileSync(file('member.pem'), 'utf8')).toContain('ENCRYPTED PRIVATE KEY')
  expect((await run('governance', 'key', file('member.pem'))).exit_code).toBe(2)
})

test('a roster and a policy are proposed from files, signed, and shown', async () => {
  writeFileSync(file('new-roster.yaml'), rosterYaml(day(300)))
  expect((await run('governance', 'roster', 'show')).exit_code).not.toBe(0)
  const made = await json(
    'governance',
    'roster',
    'propose',
    file('new-roster.yaml'),
    '--rationale',
    'first',
    '--key',
    file('admin.pem'),
  )
  expect(made.proposal).toMatchObject({ kind: 'roster', state: 'effective' })
  expect((await run('governance', 'roster', 'show')).stdout).toMatch(/^roster 1, [0-9a-f]{64}, in force from /)
  expect((await run('governance', 'policy', 'show')).exit_code).toBe(3)

  const rule = (committee: number, oversight: number) =>
    `{ committee: ${committee}, oversight: ${oversight}, comment: PT0S, vote: PT0S, notice: P1D }`
  writeFileSync(
    file('policy.yaml'),
    `policy: { expires_at: ${day(300)}, proposal_lifetime: P90D, late_window: PT24H, late_extension: PT48H, emergency_lapse: PT72H }
classes: { text: ${rule(1, 0)}, parameter: ${rule(1, 0)}, material: ${rule(1, 1)}, emergency: ${rule(1, 1)}, policy: ${rule(1, 1)} }
`,
  )
  const proposed = await json(
    'governance',
    'policy',
    'propose',
    file('policy.yaml'),
    '--rationale',
    'first',
    '--key',
    file('admin.pem'),
  )
  const { proposal_id } = proposed.proposal
  const words = ['--key', file('member.pem'), '--passphrase-file']
  const wrong = await run('governance', 'vote', proposal_id, '--approve', ...words, file('wrong.txt'))
  expect(wrong).toMatchObject({ exit_code: 2, stdout: '' })
  expect(wrong.stderr).toContain('under this passphrase')
  const voted = await run('governance', 'vote', proposal_id, '--approve', ...words, file('words.txt'))
  expect(voted.stdout).toMatch(/\nnext: 1 more of oversight \(0 of 1\), before \d{4}-/)
  const shown = (await run('governance', 'show', proposal_id)).stdout
  expect(shown).toMatch(/\nsignatures: committee complete \(1 of 1: member\)\nsignatures: 1 more of oversight /)
  expect(shown).toMatch(/\nnext: 1 more of oversight .*\n\n/)
  expect(shown).toMatch(/ vote +member +committee +approve/)
  expect((await run('governance', 'show', 'prp_other')).stderr).toContain('GOVERNANCE_NOT_FOUND')
  expect(await json('governance', 'show', proposal_id)).toMatchObject({
    ...{ proposal_id, state: 'proposed', seats: [{ actor_ids: ['member'] }, { actor_ids: [] }, {}] },
    acts: [
      { act: 'propose', text: 'first' },
      { act: 'vote', choice: 'approve', roles: ['committee'] },
    ],
    ...{ to_come: [{ what: 'expires' }], next: expect.stringContaining('1 more of oversight') },
  })
  expect((await run('governance', 'vote', proposal_id, '--dissent', '--key', file('overseer.pem'))).stderr).toContain(
    'reason',
  )
})

test('a program that holds a key signs; one that answers otherwise is refused', async () => {
  const [{ proposal_id }] = await json('governance', 'status')
  const signer = (name: string, sign: string) => {
    writeFileSync(
      file(name),
      `#!${process.execPath}
const { createPrivateKey, sign } = require('node:crypto')
const { readFileSync } = require('node:fs')
if (process.argv[2] === 'public-key') process.stdout.write('${overseer.public_key}\\n')
else process.stdout.write(${sign})
`,
    )
    chmodSync(file(name), 0o700)
    return file(name)
  }
  const key = `createPrivateKey(readFileSync(${JSON.stringify(file('overseer.pem'))}))`
  const liar = await run(
    'governance',
    'vote',
    proposal_id,
    '--approve',
    '--signer',
    signer('liar.cjs', `'0'.repeat(128)`),
  )
  expect(liar.stderr).toContain('gave no valid answer')
  const honest = signer('honest.cjs', `sign(null, readFileSync(0), ${key}).toString('hex')`)
  const voted = await json('governance', 'vote', proposal_id, '--approve', '--signer', honest)
  expect(voted.proposal).toMatchObject({ state: 'effective' })
  const shown = (await run('governance', 'policy', 'show')).stdout
  expect(shown).toMatch(/material/)
  for (const time of ['proposal_lifetime P90D', 'late_window PT24H', 'late_extension PT48H', 'emergency_lapse PT72H'])
    expect(shown).toContain(`\n${time}: `)
  expect(shown).not.toContain('drift_after')
})

test('acts are listed with those that were refused, and a proposer cannot veto', async () => {
  writeFileSync(file('next.yaml'), rosterYaml(day(350)).replace('threshold: 1', 'threshold: 2'))
  const refused = await run(
    'governance',
    'roster',
    'propose',
    file('next.yaml'),
    '--rationale',
    'more',
    '--key',
    file('admin.pem'),
  )
  expect(refused.stderr).toContain('threshold is 2; allowed: from 1 to 1')
  expect((await run('governance', 'acts')).stdout).toMatch(/propose .*admin .*VALIDATION_DEFINITION_INVALID/)
  const [{ proposal_id }] = await json('governance', 'status')
  const veto = await run('governance', 'veto', proposal_id, '--reason', 'no', '--key', file('admin.pem'))
  expect(veto).toMatchObject({ exit_code: 2 })
  expect(veto.stderr).toContain('REVIEW_NOT_ALLOWED')
  // The proposals above announce themselves; the second call finds them published.
  expect((await run('governance', 'advance')).stdout).toBe('acts performed: 0; notices published: 4\n')
  expect((await run('governance', 'advance')).stdout).toBe('acts performed: 0; notices published: 0\n')
  expect((await run('rating', 'list', '--json')).exit_code).toBe(0)
})
