import type { Command, Option } from '../../cli/src/command.ts'
import { allCommands } from '../../cli/src/commands.ts'
import { localCommands } from '../../cli/src/local-commands.ts'
import { commonOptions } from '../../cli/src/program.ts'

const failed =
  'Failed: the instance refused it, a script failed, a definition breaks a subscriber, ' +
  'or `solution push` left scripts that the folder does not have.'

const intro = `# The command line

Generated from the commands by \`npm run generate\`: do not edit. \`npx millrace <command>
--help\` prints the same for one
command. Commands are clients of the [management API](management.md) and work from any machine;
those at the
end run where the server is installed.

## Which instance, and as whom

The first that is given decides:

1. \`--url\`, with the API token of \`MILLRACE_TOKEN\`;
2. \`--profile\`, a login that \`millrace login --profile\` keeps;
3. \`MILLRACE_URL\`, with the API token of \`MILLRACE_TOKEN\`;
4. \`MILLRACE_PROFILE\`, as \`--profile\`;
5. the instance that runs in the data directory (\`MILLRACE_DATA\`, else \`.millrace\` of this
   directory), as its
   operator: \`operator.json\`, which only the owner of the process can read, has the address and
   the token;
6. the profile \`default\`.

Logins are in \`millrace/profiles.json\` of \`XDG_CONFIG_HOME\`, else of \`~/.config\`, readable
by the user alone. They hold
a session or an API token, never a password. Without a terminal give secrets by
\`--password-file\` or
\`--token-file\`; \`-\` reads the standard input.

## Output and exit codes

Data goes to the standard output, everything else to the standard error. With \`--json\` data is
printed in the
shape of the API's answer ([openapi.json](openapi.json)); followers print one JSON value a line.

| code | meaning |
|---|---|
| 0 | Done. |
| 1 | ${failed} |
| 2 | The command line is wrong, \`--yes\` is missing, or there is no instance. Nothing was done. |
| 3 | No valid credential, or it does not permit this (401, 403). |
| 130 | Interrupted by Ctrl-C. |

## Options of every command
`

/** The reference of the command line. */
export async function commandsPage(): Promise<string> {
  const parts = [intro, table(commonOptions), '', '## Commands']
  for (const [name, { summary, load }] of Object.entries(await allCommands())) {
    parts.push('', ...formatSection(name, summary, await load()))
  }
  parts.push('', '## Commands of the server', '')
  for (const [name, { summary }] of Object.entries(localCommands)) {
    parts.push(`* \`millrace ${name}\`: ${summary}`)
  }
  return `${parts.join('\n')}\n`
}

function formatSection(name: string, summary: string, command: Command): string[] {
  const { options, operand, secondOperand, example, routes } = command
  const own = Object.keys(options).length === 0 ? [] : ['', table(options)]
  const both = `\`--${operand}\` and \`--${secondOperand}\` may be given by their values alone.`
  const one = `\`--${operand}\` may be given by its value alone.`
  const alone = operand === undefined ? [] : ['', secondOperand === undefined ? one : both]
  const calls = routes.map((route) => `\`${route}\``).join(', ')
  return [
    `### ${name}`,
    '',
    summary,
    ...own,
    ...alone,
    ...(calls === '' ? [] : ['', `Calls ${calls}.`]),
    '',
    '```',
    example,
    '```',
  ]
}

function table(options: Readonly<Record<string, Option>>): string {
  const rows = Object.entries(options).map(([name, option]) => {
    const form = option.flag ? `--${name}` : `--${name} <value>`
    return `| \`${form}\` | ${option.meaning.replaceAll('|', '\\|')}${formatRules(option)} |`
  })
  return ['| option | meaning |', '|---|---|', ...rows].join('\n')
}

function formatRules({ required, default: preset, many, choices }: Option): string {
  const rules = [
    ...(required ? ['Required.'] : []),
    ...(preset === undefined ? [] : [`Default: \`${preset}\`.`]),
    ...(many ? ['May be given several times.'] : []),
    ...(choices === undefined ? [] : [`One of ${choices.join(', ')}.`]),
  ]
  return rules.map((rule) => ` ${rule}`).join('')
}
