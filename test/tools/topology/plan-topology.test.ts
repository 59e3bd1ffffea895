import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { imageVariables, type PlannedProcess, planTopology } from '../../../tools/topology/plan-topology.ts'
import { ROOT } from '../../support/source-files.ts'

const text = readFileSync(join(ROOT, 'deploy/compose.yaml'), 'utf8')
type Service = { readonly command?: string[]; readonly environment?: Record<string, string> }
const { services } = parse(text, { merge: true }) as { services: Record<string, Service> }
const surroundings = {
  number: 30,
  variables: {
    TIDEMARK_ENVIRONMENT: 'sandbox',
    POSTGRES_PASSWORD: 'p',
    STORE_SECRET: 'o',
    TIDEMARK_KEY_ENCRYPTION_KEY: 'k',
    TIDEMARK_CURSOR_SECRET: 's',
  },
  places: { '/etc/tidemark/engine-tls': '/tls', '/var/lib/tidemark': '/home', 'temporal:7233': '127.0.0.1:9' },
  image: imageVariables(readFileSync(join(ROOT, 'deploy/container/Containerfile'), 'utf8')),
}
const plan = planTopology(text, surroundings)
const named = (name: string): PlannedProcess => plan.find((process) => process.name === name)!

test('every service of compose.yaml is a process, with its command and its variables', () => {
  expect(plan.map(({ name }) => name)).toEqual(Object.keys(services))
  const ours = plan.filter(({ kind }) => kind === 'tidemark')
  expect(ours.map(({ name }) => name).sort()).toEqual(
    ['api-1', 'api-2', 'engine', 'log', 'standby', 'witness', 'worker-bulk', 'worker-live'].sort(),
  )
  for (const { name, argv, environment } of ours) {
    const { command = [], environment: said = {} } = services[name]!
    expect(argv.map((word) => word.replace(/^127\.30\.0\.\d+/, '0.0.0.0'))).toEqual(command)
    expect(Object.keys(environment)).toEqual(expect.arrayContaining(Object.keys(said)))
    expect(
      Object.keys(environment).filter((variable) => !(variable in said || variable in surroundings.image)),
    ).toEqual([])
  }
})

test('each process has an address of its own, where others reach it by the name of its service', () => {
  const { host, argv, environment, health_url } = named('engine')
  expect(new Set(plan.map((process) => process.host)).size).toBe(plan.length)
  expect(argv).toContain(`${host}:7300`)
  expect(health_url).toBe(`http://${host}:9467/healthz`)
  expect(environment).toMatchObject({
    TIDEMARK_ENGINE_ADVERTISED_ADDRESS: `${host}:7300`,
    TIDEMARK_ENGINE_TLS_CERT_FILE: '/tls/engine.pem',
    TEMPORAL_ADDRESS: '127.0.0.1:9',
    TIDEMARK_HOME: '/home',
    TIDEMARK_HOST: host,
    TIDEMARK_LOG_WITNESS_URL: '',
    AWS_ENDPOINT_URL: `http://${named('store').host}:7070`,
  })
  expect(named('store').argv).toContain(`${named('store').host}:7070`)
  expect(plan.filter(({ is_usual }) => !is_usual).map(({ name }) => name)).toEqual(['witness'])
})

test('a service that no program is known for, and a variable that must be set, are named', () => {
  const more = text.replace('services:\n', 'services:\n  cache:\n    image: docker.io/library/redis\n')
  expect(() => planTopology(more, surroundings)).toThrow('no program is known for service cache')
  const { TIDEMARK_CURSOR_SECRET: _, ...variables } = surroundings.variables
  expect(() => planTopology(text, { ...surroundings, variables })).toThrow('TIDEMARK_CURSOR_SECRET is not set')
})
