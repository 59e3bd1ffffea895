import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { descendants } from '../../../test/support/service-process.ts'

/** Resources that a service holds, without its databases of Postgres and Temporal, which clean up by themselves. */
export type Footprint = {
  readonly files: number
  /** Resident memory of the process and all below it. */
  readonly memory_mib: number
  /** Open files of them, connections included. */
  readonly descriptors: number
}

export function footprintOf(pid: number, home: string): Footprint {
  const pids = [pid, ...descendants(pid)]
  const sum = (read: (pid: number) => number) => pids.reduce((total, one) => total + orZero(() => read(one)), 0)
  return {
    files: filesBelow(join(home, 'warehouse')),
    memory_mib: Math.round(sum(residentKib) / 1024),
    descriptors: sum((one) => readdirSync(`/proc/${one}/fd`).length),
  }
}

function residentKib(pid: number): number {
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
}

function filesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    orZero(() => (statSync(join(folder, name)).isFile() ? 1 : 0)),
  ).length
}

/** A process or file that has ended meanwhile counts nothing. */
function orZero(read: () => number): number {
  try {
    return read()
  } catch {
    return 0
  }
}
