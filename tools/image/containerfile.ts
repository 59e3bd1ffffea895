/** Instruction of a Containerfile: its name in capitals, and its text without line breaks. */
export type Instruction = { readonly name: string; readonly text: string }

/** Settings of an image's processes, in the form of the OCI image configuration. */
export type ImageConfig = {
  readonly Env: readonly string[]
  readonly User: string
  readonly WorkingDir: string
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
  readonly Volumes: Readonly<Record<string, object>>
  readonly ExposedPorts: Readonly<Record<string, object>>
  readonly StopSignal: string
  /** An extension of the configuration that builders keep. */
  readonly Healthcheck: { readonly Test: readonly string[] }
}

/** Parses a Containerfile into its instructions. */
export function parseContainerfile(text: string): Instruction[] {
  const lines = text.replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n\s*/g, '')
  return [...lines.matchAll(/^([A-Z]+) +(.+)$/gm)].map(([, name, rest]) => ({ name: name!, text: rest! }))
}

/** Returns the texts of an instruction, such as RUN, with the values of ARG filled in. */
export function textsOf(instructions: readonly Instruction[], name: string): string[] {
  const args = new Map<string, string>()
  return instructions.flatMap((instruction) => {
    const text = instruction.text.replaceAll(/\$\{(\w+)\}/g, (whole, arg: string) => args.get(arg) ?? whole)
    if (instruction.name === 'ARG') args.set(text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1))
    return instruction.name === name ? [text] : []
  })
}

/** Returns the configuration that the instructions give the image. */
export function configOf(instructions: readonly Instruction[]): ImageConfig {
  const last = (name: string) => textsOf(instructions, name).at(-1) ?? ''
  const list = (name: string) => JSON.parse(last(name)) as string[]
  const keyed = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, {}]))
  const variables = textsOf(instructions, 'ENV').flatMap((text) => text.trim().split(/\s+/))
  const PATH = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  return {
    Env: [PATH, ...variables],
    User: last('USER'),
    WorkingDir: last('WORKDIR'),
    Entrypoint: list('ENTRYPOINT'),
    Cmd: list('CMD'),
    Volumes: keyed(list('VOLUME')),
    ExposedPorts: keyed(textsOf(instructions, 'EXPOSE').map((port) => `${port}/tcp`)),
    StopSignal: last('STOPSIGNAL'),
    Healthcheck: { Test: ['CMD', ...(JSON.parse(/CMD (\[.+\])$/.exec(last('HEALTHCHECK'))![1]!) as string[])] },
  }
}
