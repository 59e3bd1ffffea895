import { resolve } from 'node:path'
import { count } from '../../report/number-text.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { passphraseOption } from './backup.ts'

type Options = {
  readonly backup?: string
  readonly passphraseFile?: string
  readonly withoutKeys?: boolean
  readonly check?: boolean
  readonly list?: boolean
}

/** `tidemark restore`: fills an empty home from a backup, or checks or lists the backups of a folder. */
export function restoreCommand(context: CommandContext) {
  const command = defineCommand('restore', 'restore a backup into an empty home, or check it', [
    'tidemark restore /backups/tidemark --list',
    'tidemark restore /backups/tidemark --check',
    'tidemark restore /backups/tidemark --home /srv/tidemark --passphrase-file /etc/tidemark/backup.pass',
  ])
    .argument('<folder>', 'folder that `tidemark backup` has written to')
    .option('--backup <id>', 'backup to restore (default: the newest)')
    .addOption(passphraseOption('decrypt the keys with the first line of this file'))
    .option('--without-keys', 'restore no keys, though the backup has them')
    .option('--check', 'verify the backup and write nothing')
    .option('--list', 'list the backups of the folder')
  return onAction<Options>(command, context, async ({ args, options, settings, output, signal }) => {
    const folder = resolve(args[0]!)
    const backup_id = options.backup ?? null
    if (options.list === true) {
      const { describeBackups } = await import('../../operations/backup/describe-backups.ts')
      const backups = await describeBackups(folder)
      if (output.json) return void (await output.document({ backups }))
      const columns = ['backup', 'through', 'release', 'rows', 'engine sequence', 'keys']
      const rows = backups.map((one) => [
        one.backup_id,
        one.backed_up_through,
        one.release,
        count(one.rows),
        one.engine_sequence,
        one.keys,
      ])
      return void (await output.table(columns, rows))
    }
    if (options.check === true) {
      const { checkBackup } = await import('../../operations/backup/describe-backups.ts')
      const checked = await checkBackup(folder, backup_id, signal)
      if (output.json) return void (await output.document(checked))
      const { files, bytes } = checked
      return void (await output.line(
        `backup ${checked.backup_id}: ${count(files)} files, ${count(bytes)} bytes, all verified`,
      ))
    }
    const [{ restoreHome }, { readPassphrase }] = await Promise.all([
      import('../../service/backup/restore-home.ts'),
      import('../../service/backup/read-passphrase.ts'),
    ])
    const { passphraseFile, withoutKeys: without_keys = false } = options
    const passphrase = passphraseFile === undefined ? null : await readPassphrase(passphraseFile)
    const report = await restoreHome(settings, { folder, backup_id, passphrase, without_keys, signal })
    if (output.json) return void (await output.document(report))
    await output.line(
      `restored ${count(report.files)} files and ${count(report.trading_rows)} trading rows into ${settings.home}`,
    )
    for (const path of report.missing_keys) await output.line(`missing: ${path}; put it back before the service starts`)
    await output.line('next: tidemark audit; tidemark audit --trading; tidemark log verify')
  })
}
