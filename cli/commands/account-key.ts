import { Option } from 'commander'
import { ServiceError } from '../../primitives/errors.ts'
import { parseId } from '../../primitives/ids.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import { SCOPES } from '../../protocol/signing/scopes.ts'
import { type CommandContext, defineCommand } from '../command.ts'
import { instantOption, parseCount } from '../options.ts'
import { parseAddressText } from '../trading/address-text.ts'
import { onAct, onTrading } from '../trading/on-engine.ts'
import { printRecord } from '../trading/print-record.ts'

type CreateFlags = {
  readonly label?: string
  readonly scope?: readonly string[]
  readonly ip?: readonly string[]
  readonly publicKey?: string
  readonly signer?: string
  readonly expiresAt?: string
}

/** `tidemark account key ...`: issues the first key of an account, whose owner may create more over the API; lists what was done with one. */
export function accountKeyCommand(context: CommandContext) {
  const group = defineCommand('key', 'issue and revoke API keys of an account; list what was done with one')
  group.addCommand(createKeyCommand(context)).addCommand(revokeKeyCommand(context))
  return group.addCommand(keyLogCommand(context))
}

function createKeyCommand(context: CommandContext) {
  const command = defineCommand('create', 'issue a key; its secret is printed only once', [
    'tidemark account key create acct_north --label "trading desk" --reason "first key"',
    'tidemark account key create acct_north --scope orders:read --scope account:read --ip 10.0.0.0/8 --reason "reports"',
  ])
    .argument('<account>', 'id of the account')
    .argument('[key]', 'id of the key: key_ and 16 to 32 of [a-z0-9] (default: random)')
    .option('--label <text>', 'display name (default: the id)')
    .addOption(new Option('--scope <scope...>', 'permissions of the key (default: all)').choices(SCOPES))
    .option('--ip <cidr...>', 'networks it may be used from (default: all)')
    .option('--public-key <hex>', 'Ed25519 public key of the client, in place of a generated secret')
    .option('--signer <address>', "address that may sign orders with it (default: the account's owner)")
    .addOption(instantOption('--expires-at <instant>', 'expiry (default: never)', 'future'))
  return onAct<CreateFlags>(command, context, async ({ args, options, output, settings }, { act, reads, pool }) => {
    const { issueApiKey, newKeyId, parseKeyId } = await import('../../service/trading/issue-api-key.ts')
    const { openKeyEncryptionKey } = await import('../../service/trading/key-encryption-key.ts')
    const { toMicros } = await import('../../primitives/instants.ts')
    const account_id = parseId('acct', args[0], 'account')
    const key_id = parseKeyId(args[1] ?? newKeyId())
    const owner_address = await ownerOf(reads, account_id)
    const request = {
      account_id,
      owner_address,
      signer: options.signer === undefined ? owner_address : parseAddressText(options.signer, 'signer'),
      key_id,
      environment: settings.environment,
      label: options.label ?? key_id,
      scopes: options.scope ?? SCOPES,
      ip_allowlist: options.ip ?? [],
      public_key: options.publicKey ?? null,
      expires_at: options.expiresAt === undefined ? null : toMicros(options.expiresAt),
      now: wallClock(),
    }
    // A public key is no secret: an operator without the key of the service may record one.
    const sealing =
      options.publicKey === undefined
        ? await openKeyEncryptionKey(settings, { pool, note: (text) => output.note(text) })
        : null
    const { command: add_key, secret } = await issueApiKey(request, sealing)
    await act(add_key)
    const { material: _, ...shown } = add_key.key
    const expires_at = options.expiresAt ?? null
    return void (await printRecord(output, { ...shown, expires_at, signer: request.signer, secret }))
  })
}

async function ownerOf(
  reads: { readAccount(account_id: string): Promise<{ readonly owner_address: string | null }> },
  account_id: string,
): Promise<string> {
  const { owner_address } = await reads.readAccount(account_id)
  if (owner_address !== null) return owner_address
  const message = `account is ${account_id}, which has no owner; allowed: an account created with --owner`
  throw new ServiceError('VALIDATION_USAGE_INVALID', message, { account_id })
}

function revokeKeyCommand(context: CommandContext) {
  const command = defineCommand('revoke', 'revoke a key and close its streams', [
    'tidemark account key revoke key_3f9c2b7d10aa4e5f8c61d2e3 --reason "lost laptop"',
  ]).argument('<key>', 'id of the key')
  return onAct(command, context, async ({ args, options, output }, { act }) => {
    const { parseKeyId } = await import('../../service/trading/issue-api-key.ts')
    const key_id = parseKeyId(args[0]!)
    const { reason } = options
    await act({ kind: 'revoke_key', key_id, reason })
    return void (await printRecord(output, { key_id, status: 'revoked', reason }))
  })
}

function keyLogCommand(context: CommandContext) {
  const command = defineCommand('log', 'list what was done to a key and with it, newest first', [
    'tidemark account key log key_3f9c2b7d10aa4e5f8c61d2e3',
    'tidemark account key log key_3f9c2b7d10aa4e5f8c61d2e3 --limit 1000 --json',
  ])
    .argument('<key>', 'id of the key')
    .option('--limit <n>', 'most entries', parseCount, 50)
  return onTrading<{ readonly limit: number }>(command, context, async ({ args, options, output }, { reads }) => {
    const { parseKeyId } = await import('../../service/trading/issue-api-key.ts')
    const entries = await reads.readKeyLog(parseKeyId(args[0]!), options.limit)
    if (output.json) return void (await output.document(entries))
    await output.table(
      ['from', 'to', 'action', 'count', 'outcome', 'address', 'request', 'by', 'reason'],
      entries.map((entry) => [
        entry.occurred_at,
        entry.last_at,
        entry.action,
        entry.count,
        entry.outcome,
        entry.ip ?? '-',
        entry.method === null ? (entry.request_id ?? '-') : `${entry.method} ${entry.path}`,
        entry.actor ?? entry.by_key_id ?? '-',
        entry.reason ?? '-',
      ]),
    )
  })
}
