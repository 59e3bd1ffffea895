import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readRoster, rosterFile } from '../../operations/review/read-roster.ts'
import { createKey, parseSigner, type Signer } from '../../operations/review/signing.ts'
import { ownerOfKey, type Roster } from '../../pipelines/governance/roster.ts'
import { type RosterRole, SANDBOX_ACTOR_PREFIX } from '../../vocabulary/governance.ts'

/** Invented members of a sandbox. */
export const SANDBOX_MEMBERS = {
  analyst: { name: 'Sandbox analyst', roles: ['analyst'] },
  member: { name: 'Sandbox member', roles: ['committee'] },
  second: { name: 'Sandbox second member', roles: ['committee', 'analyst'] },
  third: { name: 'Sandbox third member', roles: ['committee'] },
  ombuds: { name: 'Sandbox complaints officer', roles: ['committee'] },
  observer: { name: 'Sandbox observer', roles: ['observer'] },
  oversight: { name: 'Sandbox oversight', roles: ['oversight'] },
  administrator: { name: 'Sandbox administrator', roles: ['administrator', 'operator'] },
  deputy: { name: 'Sandbox deputy', roles: ['administrator'] },
  runner: { name: 'Sandbox runner', roles: ['runner'] },
  second_runner: { name: 'Sandbox second runner', roles: ['runner'] },
} as const satisfies Record<string, { readonly name: string; readonly roles: readonly RosterRole[] }>
export type SandboxMember = keyof typeof SANDBOX_MEMBERS

/** Members without whom a roster file is not the sandbox's own. */
const REVIEWERS: readonly SandboxMember[] = ['analyst', 'member', 'second', 'observer']

/** Roster and keys of the sandbox members. */
export type Committee = {
  readonly roster: Roster
  readonly signers: Readonly<Record<SandboxMember, Signer>>
}

/** Returns the folder of the private keys and forms of the sandbox members. */
export function committeeFolder(home: string): string {
  return join(home, 'committee')
}

/** Returns the actor id of a sandbox member. */
export function sandboxActor(member: SandboxMember): string {
  return `${SANDBOX_ACTOR_PREFIX}${member}`
}

/**
 * Opens the committee of a sandbox: invented members whose keys never leave the home. Keys of an earlier start are kept.
 * @returns null if the home has its own roster
 */
export async function openCommittee(home: string): Promise<Committee | null> {
  const file = rosterFile(home)
  const names = Object.keys(SANDBOX_MEMBERS) as SandboxMember[]
  if (existsSync(file) && !existsSync(committeeFolder(home))) return null
  await mkdir(committeeFolder(home), { recursive: true, mode: 0o700 })
  const keys = await Promise.all(names.map(async (name) => [name, await haveSigner(home, name)] as const))
  if (!existsSync(file)) await write(file, rosterText(keys), 0o644)
  const roster = await readRoster(file)
  const signers = Object.fromEntries(keys) as Record<SandboxMember, Signer>
  const is_ours = REVIEWERS.every((name) => ownerOfKey(roster, signers[name].public_key) !== null)
  return is_ours ? { roster, signers } : null
}

async function haveSigner(home: string, name: SandboxMember): Promise<Signer> {
  const file = join(committeeFolder(home), `${name}.pem`)
  const pem = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (pem !== null) return parseSigner(pem, file)
  const made = createKey(null)
  await write(file, made, 0o600)
  return parseSigner(made, file)
}

/** Writes a file atomically with its final mode. */
async function write(file: string, text: string, mode: number): Promise<void> {
  await writeFile(`${file}.${process.pid}`, text, { mode, flush: true })
  await rename(`${file}.${process.pid}`, file)
}

function rosterText(keys: readonly (readonly [SandboxMember, Signer])[]): string {
  const lines = keys.map(([member, { public_key }]) => {
    const { name, roles } = SANDBOX_MEMBERS[member]
    return `  - { actor_id: ${sandboxActor(member)}, name: ${name}, roles: [${roles.join(', ')}], public_key: "${public_key}", valid_from: 2000-01-01T00:00:00Z, valid_to: null }`
  })
  return `${ROSTER_HEAD}members:\n${lines.join('\n')}\n`
}

const ROSTER_HEAD = `# Who may act on ratings and severity (docs/ratings.md), until a signed roster is in force (docs/governance.md). These members are
# invented, and their private keys lie in committee/ beside this file, so that anybody who can read it may try every act. A
# committee replaces them all by its own.
`
