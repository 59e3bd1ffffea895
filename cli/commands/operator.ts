import { isServiceError, notAllowed } from '../../primitives/errors.ts'
import type { Settings } from '../../service/configuration.ts'
import type { Output } from '../../service/output.ts'
import { type AdjustedSides, adjustedSides, adjustmentText } from '../../service/trading/adjusted-sides.ts'
import { makeOperatorKey, operatorKeyFile, unregisteredKey } from '../../service/trading/operator-key-file.ts'
import { approveAct, readAct } from '../../service/trading/saved-act.ts'
import type { AdjustFill } from '../../trading/engine/submission.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { parseCount } from '../options.ts'
import { actorOf } from '../trading/act-options.ts'
import { actPortsOf, onAct, onTrading } from '../trading/on-engine.ts'
import { printRecord } from '../trading/print-record.ts'

/** `tidemark operator ...`: people who sign operators' acts, and their keys. */
export function operatorCommand(context: CommandContext) {
  return defineCommand('operator', 'register, list and revoke the keys of operators; approve and list acts')
    .addCommand(keyCommand(context))
    .addCommand(addCommand(context))
    .addCommand(listCommand(context))
    .addCommand(revokeCommand(context))
    .addCommand(showCommand(context))
    .addCommand(approveCommand(context))
    .addCommand(actsCommand(context))
}

/** Makes a key on the machine of its person; the public half is registered by somebody else. */
function keyCommand(context: CommandContext) {
  const command = defineCommand('key', 'make a key file, and print its public key', [
    'tidemark operator key desk-lead',
  ]).argument('<name>', 'name of the person')
  return onAction<object>(command, context, async ({ args, settings, output }) => {
    const file = operatorKeyFile(settings.home, args[0]!)
    const { private_key: _, ...key } = await makeOperatorKey(file, args[0]!)
    return void (await printRecord(output, { ...key, file }))
  })
}

type ApprovedFlags = { readonly approvedBy?: string }
type AddFlags = ApprovedFlags & { readonly publicKey?: string; readonly keyId?: string; readonly keyFile?: string }

function addCommand(context: CommandContext) {
  const command = defineCommand('add', 'register a key of a person', [
    'tidemark operator add desk-lead --reason "joined the desk"',
    'tidemark operator add desk-lead --key-id opk_1f0c --public-key 5d2e... --approved-by risk-lead --reason "joined the desk"',
  ])
    .argument('<name>', 'name of the person: 1 to 64 of [A-Za-z0-9_.-]')
    .option(
      '--public-key <hex>',
      'public key that `tidemark operator key` printed (default: a new key file is made here)',
    )
    .option('--key-id <id>', 'id that it printed with the public key')
    .option('--key-file <file>', 'where the new key is kept (default: <home>/operator-keys/<name>.json)')
    .option('--approved-by <name>', 'operator who approved it; not the actor (needed once there are two)')
  return onAct<AddFlags>(command, context, async ({ args, options, settings, output }, { act, reads }) => {
    const operator_id = args[0]!
    const { publicKey: public_key, keyId: operator_key_id, approvedBy: approved_by = null } = options
    const file = options.keyFile ?? operatorKeyFile(settings.home, operator_id)
    const given = givenKey(public_key, operator_key_id)
    const key = given ?? (await unregisteredKey(file, operator_id, await reads.listOperatorKeys()))
    const registered = { operator_key_id: key.operator_key_id, operator_id, public_key: key.public_key }
    const { environment } = settings
    await act({ kind: 'register_operator_key', ...registered, environment, approved_by })
    return void (await printRecord(output, given === null ? { ...registered, file } : registered))
  })
}

/** Returns the key that was made elsewhere; null: none. @throws {ServiceError} VALIDATION_USAGE_INVALID: only a half of it is given */
function givenKey(public_key: string | undefined, operator_key_id: string | undefined) {
  if (public_key !== undefined && operator_key_id !== undefined) return { public_key, operator_key_id }
  if (public_key === undefined && operator_key_id === undefined) return null
  const [missing, given] = public_key === undefined ? ['--public-key', '--key-id'] : ['--key-id', '--public-key']
  const allowed = `both as \`tidemark operator key\` printed them, or neither: then a new key file is made here`
  throw notAllowed('VALIDATION_USAGE_INVALID', missing!, `missing beside ${given}`, allowed)
}

function listCommand(context: CommandContext) {
  const command = defineCommand('list', 'list the registered keys', ['tidemark operator list'])
  return onTrading(command, context, async ({ output }, { reads }) => {
    const keys = await reads.listOperatorKeys()
    if (output.json) return void (await output.document(keys))
    await output.list(
      ['operator', 'key', 'public key', 'registered', 'revoked'],
      keys.map((key) => [
        key.operator_id,
        key.operator_key_id,
        key.public_key,
        key.registered_at,
        key.revoked_at ?? '',
      ]),
    )
  })
}

function revokeCommand(context: CommandContext) {
  const command = defineCommand('revoke', 'revoke a key; what it signed before stays valid', [
    'tidemark operator revoke opk_1f0c --approved-by risk-lead --reason "left the desk"',
  ])
    .argument('<key>', 'id of the key')
    .option(
      '--approved-by <name>',
      "operator who approved it; not the actor (needed unless the key is the actor's own)",
    )
  return onAct<ApprovedFlags>(command, context, async ({ args, options, output }, { act }) => {
    const { approvedBy: approved_by = null } = options
    const done = await act({ kind: 'revoke_operator_key', operator_key_id: args[0]!, approved_by })
    return void (await printRecord(output, done))
  })
}

/** Shows what an approval would sign. */
function showCommand(context: CommandContext) {
  const command = defineCommand('show', 'show an act that another operator saved, as it would be signed', [
    'tidemark operator show adjustment.json',
  ]).argument('<file>', 'file that a command wrote with --save')
  return onAction<object>(command, context, async ({ args, output, settings }) => {
    const { act_id, actor, reason, issued_at, command: asked } = await readAct(args[0]!)
    const about = asked.kind === 'adjust_fill' ? await adjustedNow(settings, asked, output) : {}
    return void (await printRecord(output, { act_id, actor, reason, issued_at, ...asked, ...about }))
  })
}

/** Returns what an adjustment would change, by the database; without one the act is shown alone. */
async function adjustedNow(settings: Settings, asked: AdjustFill, output: Output): Promise<AdjustedSides | object> {
  const { withTrading } = await import('../../service/trading/with-trading.ts')
  try {
    return await withTrading(settings, ({ reads }) => adjustedSides(reads, asked), {
      by_index: true,
      only_existing: true,
    })
  } catch (error) {
    if (!isServiceError(error, 'SERVICE_UNAVAILABLE')) throw error
    output.note(`what ${asked.fill_id} is now is not shown: ${error.message}`)
    return {}
  }
}

type ApproveFlags = { readonly actor?: string; readonly operatorKey?: string }

function approveCommand(context: CommandContext) {
  const command = defineCommand('approve', 'sign an act that another operator saved, and perform it', [
    'tidemark operator approve adjustment.json --actor risk-lead',
  ])
    .argument('<file>', 'file that a command wrote with --save')
    .option('--actor <name>', 'your name as a registered operator (default: the user name on this machine)')
    .option('--operator-key <file>', 'your key file (default: <home>/operator-keys/<name>.json)')
  return onTrading<ApproveFlags>(command, context, async (invocation, ports) => {
    const { args, options, output } = invocation
    const approver = actorOf({ ...options, reason: 'approval' })
    const { command: asked } = await readAct(args[0]!)
    if (asked.kind === 'adjust_fill') output.note(adjustmentText(await adjustedSides(ports.reads, asked)))
    const { act, answer } = await approveAct(actPortsOf(invocation, ports), approver, args[0]!)
    const { act_id, actor, reason, command: done } = act
    return void (await printRecord(output, { act_id, actor, reason, ...done, ...(answer as object | null) }))
  })
}

type ActsFlags = { readonly limit: number; readonly services?: boolean; readonly kind?: string; readonly by?: string }

function actsCommand(context: CommandContext) {
  const command = defineCommand('acts', 'list what people did, newest first; --json has all that is signed', [
    'tidemark operator acts --limit 20',
    'tidemark operator acts --services --json',
    'tidemark operator acts --kind deposit --by desk-lead --json',
  ])
    .argument('[act]', 'id of one act')
    .option('--kind <kind>', 'commands of this kind alone: deposit, adjust_fill, ...')
    .option('--by <name>', 'acts of this actor alone')
    .option(
      '--services',
      'steps of services too: settlements, marks, ... (an act or actor that is named is always shown)',
    )
    .option('--limit <n>', 'most acts', parseCount, 50)
  return onTrading<ActsFlags>(command, context, async ({ args, options, output }, { reads }) => {
    const { kind = null, by: actor = null, limit } = options
    const act_id = args[0] ?? null
    const services = options.services === true || act_id !== null || actor !== null
    const acts = await reads.listActs({ act_id, kind, actor, limit, services })
    if (output.json) return void (await output.document(acts))
    await output.list(
      ['at', 'act', 'kind', 'actor', 'signatures', 'reason'],
      acts.map(({ at, act_id, command: done, actor: by, signatures, reason }) => [
        at,
        act_id,
        String(done.kind),
        by,
        signatures.length,
        reason,
      ]),
    )
  })
}
