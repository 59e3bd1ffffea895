import { resolve } from 'node:path'
import { InvalidArgumentError, Option } from 'commander'
import type { BackupReport } from '../../operations/backup/back-up.ts'
import { count } from '../../report/number-text.ts'
import type { Output } from '../../service/output.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'

type Options = { readonly passphraseFile?: string; readonly keep?: number }

/** Option of the file with the passphrase of a backup's keys. */
export const passphraseOption = (does: string) =>
  new Option('--passphrase-file <file>', `${does} (mode 0600, 12 characters or more)`)

/** `tidemark backup`: copies a running or stopped home into a folder of backups, and verifies it. */
export function backupCommand(context: CommandContext) {
  const command = defineCommand('backup', 'back up a running or stopped home into a folder, and verify the backup', [
    'tidemark backup /backups/tidemark --passphrase-file /etc/tidemark/backup.pass',
    'tidemark backup /backups/tidemark --keep 14 --json',
  ])
    .argument('<folder>', 'empty or new folder, or one with earlier backups: what they have is not copied again')
    .addOption(
      passphraseOption('encrypt keys and other private files with the first line of this file; else they are left out'),
    )
    .addOption(new Option('--keep <count>', 'remove the oldest backups beyond this number').argParser(parseKeep))
  return onAction<Options>(command, context, async ({ args, options, settings, output, signal }) => {
    const [{ backUpHome }, { readPassphrase }] = await Promise.all([
      import('../../service/backup/back-up-home.ts'),
      import('../../service/backup/read-passphrase.ts'),
    ])
    const { passphraseFile, keep = null } = options
    const passphrase = passphraseFile === undefined ? null : await readPassphrase(passphraseFile)
    const progress = await output.progress('backup')
    const folder = resolve(args[0]!)
    const report = await backUpHome(settings, {
      folder,
      passphrase,
      keep,
      signal,
      on_progress: progress.update,
    }).finally(progress.finish)
    await (output.json ? output.document(summaryOf(report)) : print(output, report))
  })
}

function parseKeep(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Allowed: a whole number from 1 to 999999.')
  return +text
}

/** Fields of the report for programs; the manifest in the folder has the files. */
function summaryOf({ manifest, ...sizes }: BackupReport) {
  const { backup_id, backed_up_through, release, tables, log, trading, keys, left_out } = manifest
  const { batch_sequence = null, batch_hash = null, engine_sequence = null } = trading ?? {}
  return {
    backup_id,
    backed_up_through,
    release,
    ...sizes,
    tables,
    log,
    trading: trading === null ? null : { batch_sequence, batch_hash, engine_sequence },
    keys: { handling: keys.handling, paths: keys.paths },
    left_out,
  }
}

async function print(output: Output, { manifest, ...sizes }: BackupReport): Promise<void> {
  const { backup_id, backed_up_through, tables, log, trading, keys, left_out } = manifest
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const what = trading === null ? 'published' : 'published or acknowledged'
  await output.line(`backup ${backup_id}: everything ${what} through ${backed_up_through}`)
  await output.table(
    ['part', 'what it has'],
    [
      ['warehouse', `${count(tables.length)} tables, ${count(rows)} rows`],
      ['log', log === null ? 'none' : `${count(log.size)} entries`],
      ['trading', tradingText(trading)],
      ['keys', keysText(keys)],
      ['contents', `${count(sizes.files)} files, ${count(sizes.bytes)} bytes, all verified`],
      ['written now', `${count(sizes.written_files)} files, ${count(sizes.written_bytes)} bytes`],
    ],
  )
  for (const { path, reason } of left_out) await output.line(`left out: ${path} (${reason})`)
  if (keys.handling === 'left_out')
    await output.line(`left out: ${keys.paths.join(', ')} (keys; back them up elsewhere, or give --passphrase-file)`)
  if (sizes.pruned_backups > 0) await output.line(`removed ${count(sizes.pruned_backups)} earlier backups`)
}

function tradingText(trading: BackupReport['manifest']['trading']): string {
  if (trading === null) return 'none: no database in the home, and DATABASE_URL is not set'
  return trading.engine_sequence === null
    ? 'no batch yet'
    : `through engine sequence ${trading.engine_sequence}; anchor ${trading.batch_sequence}:${trading.batch_hash}`
}

function keysText({ handling, paths }: BackupReport['manifest']['keys']): string {
  if (handling === 'none') return 'the home has none'
  return handling === 'encrypted' ? `${count(paths.length)} files, encrypted` : `${count(paths.length)} files, left out`
}
