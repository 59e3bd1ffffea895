import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts process time in hundredths of a second. */
const TICKS_PER_SECOND = 100

type Stat = { readonly parent: number; readonly own: number; readonly ended_children: number }

/** Returns the processor time of a process and its children, ended or running, in seconds; null if it has ended. */
export function cpuSeconds(pid: number): number | null {
  const root = statOf(pid)
  if (root === null) return null
  const stats = processes().map((one) => [one, statOf(one)] as const)
  let ticks = root.own + root.ended_children
  const parents = new Set([pid])
  // Children usually have greater ids; one is missed if the ids wrapped around, which takes a long uptime.
  for (const [one, stat] of stats) {
    if (stat === null || !parents.has(stat.parent)) continue
    parents.add(one)
    ticks += stat.own + stat.ended_children
  }
  return ticks / TICKS_PER_SECOND
}

function processes(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => Number.parseInt(name, 10))
    .sort((a, b) => a - b)
}

/** The name in parentheses may have spaces, so fields are counted from behind it. */
function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const at = (field: number) => Number.parseInt(fields[field]!, 10)
    return { parent: at(1), own: at(11) + at(12), ended_children: at(13) + at(14) }
  } catch {
    return null
  }
}
