import { parse } from 'yaml'

/** A service of deploy/compose.yaml as a process of this machine. */
export type PlannedProcess = {
  readonly name: string
  /** Program that it is: ours, or one that the starter knows. */
  readonly kind: 'tidemark' | 'postgres' | 'temporal' | 'store' | 'proxy'
  /** Address of its own, which stands for the name of the service. */
  readonly host: string
  /** Arguments of `tidemark`; empty for other programs. */
  readonly argv: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** Address of its health; null: the service has none. */
  readonly health_url: string | null
  /** Whether it is started by itself; else a profile names it. */
  readonly is_usual: boolean
}

/** Values of one topology for what compose.yaml takes from its surroundings. */
export type Surroundings = {
  /** Number of the topology: its processes listen at 127.NUMBER.0.x, which only this machine reaches. */
  readonly number: number
  /** Values of the variables that the file names. */
  readonly variables: Readonly<Record<string, string>>
  /** Texts of the file that have another value on one machine, such as a path; longer ones win. */
  readonly places: Readonly<Record<string, string>>
  /** Variables of the image of our processes. */
  readonly image: Readonly<Record<string, string>>
}

type Service = {
  readonly image?: string
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly profiles?: readonly string[]
}

const OTHERS = ['postgres', 'temporal', 'store', 'proxy'] as const
const FIRST_HOST = 10

/**
 * Plans the processes of a compose file, with its own commands and variables, so that what is tried is what is shipped.
 * @throws {Error} a service that no program is known for; a variable that must be set
 */
export function planTopology(text: string, surroundings: Surroundings): PlannedProcess[] {
  const { services } = parse(text, { merge: true }) as { services: Readonly<Record<string, Service>> }
  const names = Object.keys(services)
  const hosts = new Map(names.map((name, at) => [name, `127.${surroundings.number}.0.${FIRST_HOST + at}`]))
  return names.map((name) => planProcess(name, services[name]!, hosts, surroundings))
}

function planProcess(
  name: string,
  { image = '', command = [], environment = {}, profiles = [] }: Service,
  hosts: ReadonlyMap<string, string>,
  surroundings: Surroundings,
): PlannedProcess {
  const other = OTHERS.find((known) => known === name)
  if (other === undefined && !image.includes('TIDEMARK_IMAGE'))
    throw new Error(`no program is known for service ${name}`)
  const host = hosts.get(name)!
  const kind = other ?? 'tidemark'
  const here = (value: string) => localValue(`${value}`, host, hosts, surroundings)
  const named = kind === 'tidemark' ? { ...surroundings.image, ...environment } : environment
  const values = Object.entries(named).map(([variable, value]) => [variable, here(value)] as const)
  return {
    name,
    kind,
    host,
    argv: command.map(here),
    environment: Object.fromEntries(values),
    health_url: healthOf(host, kind, environment.HEALTH_PORT),
    is_usual: profiles.length === 0,
  }
}

const STORE_PORT = '7070'

function healthOf(host: string, kind: PlannedProcess['kind'], own_port: string | undefined): string | null {
  const port = kind === 'store' ? STORE_PORT : kind === 'tidemark' ? own_port : undefined
  return port === undefined ? null : `http://${host}:${port}/healthz`
}

/** Returns a value as it is on this machine: variables filled in, places and names of services replaced. */
function localValue(value: string, own: string, hosts: ReadonlyMap<string, string>, given: Surroundings): string {
  const filled = value.replaceAll(
    /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_, name: string, sign?: string, rest?: string) => {
      const found = given.variables[name]
      if (found !== undefined && found !== '') return found
      if (sign === '-') return rest ?? ''
      throw new Error(`${name} is not set; needed: ${rest ?? 'a value'}`)
    },
  )
  const places = Object.entries(given.places).sort(([a], [b]) => b.length - a.length)
  const found = places.reduce((text, [place, other]) => text.replaceAll(place, other), filled)
  const [, scheme = '', name = '', port = ''] = /^(http:\/\/)?([a-z][a-z0-9-]*)(:\d+)$/.exec(found) ?? []
  return hosts.has(name) ? `${scheme}${hosts.get(name)}${port}` : found.replace(/^0\.0\.0\.0(?=$|:)/, own)
}

/** Returns the variables that a Containerfile gives the processes of its image. */
export function imageVariables(containerfile: string): Record<string, string> {
  return Object.fromEntries(
    [...containerfile.matchAll(/(TIDEMARK_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  )
}
