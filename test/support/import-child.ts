import { importArchive } from '../../operations/import/import-archive.ts'
import { openWarehouse } from '../../warehouse/warehouse.ts'

/**
 * Run as a process of its own: imports an archive and kills itself (SIGKILL) when commit point `kill_at` is
 * reached, counted over all commits and their points; prints `done` when the import ends before.
 * Arguments: warehouse root, kind of the archive, its folder, clock, kill_at.
 */
const [root, archive, dir, clock, kill_at] = process.argv.slice(2)
let reached = 0
const reach = () => {
  reached += 1
  if (reached === Number(kill_at)) process.kill(process.pid, 'SIGKILL')
}

async function main(): Promise<void> {
  const warehouse = await openWarehouse({ root: root!, create: true, ports: { reach } })
  await importArchive({ archive: archive!, dir: dir!, clock: clock as 'wall' | 'recorded', warehouse })
  await warehouse.close()
  process.stdout.write('done\n')
}

await main()
