import { documentSettings } from '../../service/configuration.ts'

/** Renders the settings of every command as a table: variable, flag, default, accepted values, meaning. */
export function renderSettingsTable(): string {
  const rows = documentSettings().map(({ flag, environment_variable, accepts, default: usual, meaning }) => {
    const cells = [code(environment_variable), code(flag ?? ''), code(usual), accepts || 'any text', meaning]
    return `| ${cells.join(' | ')} |`
  })
  return ['| variable | flag | default | accepted values | meaning |', '|---|---|---|---|---|', ...rows].join('\n')
}

function code(text: string): string {
  return text === '' ? '' : `\`${text}\``
}
