import type { Input } from '../input.ts'
import type { OptionWords, Read } from '../operation.ts'

/** The text of the file of an option; `-` is the standard input. */
export const textFile: Read = (option, file, { input }) => input.textOfFile(option, file)

/** The secret in the file of an option. */
export const secretFile: Read = (option, file, { input }) => input.readSecret(option, file)

type Take = NonNullable<OptionWords['take']>

/** The same, or one that is typed. */
export const secret = (what: string): Take => {
  return (option, file, { input }) => input.resolveSecret(option, file, what)
}

/** A new secret, which is typed twice. */
export const newSecret = (what: string): Take => {
  return (option, file, { input }) => input.resolveNewSecret(option, file, what)
}

/** The first password of an account. */
export const passwordOption = {
  as: 'password',
  take: newSecret('Password'),
  meaning: 'A file with the password; - is the standard input. Default: a prompt.',
} as const satisfies OptionWords

export const groupOption = {
  as: 'groups',
  many: true,
  meaning: 'The id of a group that it sees, with all below; may be given several times.',
} as const satisfies OptionWords

/** The most rows of a list. */
export const rowsOption = {
  as: 'limit',
  default: '50',
  meaning: 'The most rows.',
} as const satisfies OptionWords

/** The number of items of a page. */
export const limitOption = (items: string, preset = '20') => {
  return { meaning: `The number of ${items} to print.`, default: preset }
}

/** The option of every command that works on a connector. Its id is unique in the instance. */
export const connectorOption = {
  meaning: 'The id of the connector, the first label of its host.',
  required: true,
} as const

/** The option of every command that works on a solution. */
export const solutionOption = { meaning: 'The id of the solution.', required: true } as const

/** A line without what a terminal would obey. */
export const plain = (line: string) => line.replaceAll(/\p{Cc}/gu, ' ').trimEnd()

/** The start of examples that use a solution. */
export const newSolution = (id: string, name: string) =>
  `npx millrace solution create --id ${id} --name ${name} && npx millrace`

/** The start of examples that use a user. */
export const newUser = (name: string) =>
  `echo 'a long phrase' | npx millrace user create --email ${name}@example.com --password-file - && `

/** The code in the file of `--code-file`, or typed. */
export function readCode(input: Input, file: string | undefined): Promise<string> {
  return input.resolveSecret('code-file', file, 'Code')
}

/** Lines that show what an app needs. */
export function enrolmentLines({ secret, uri }: { secret: string; uri: string }): string[] {
  return [`secret: ${secret}`, `link:   ${uri}`]
}

/** Lines that show recovery codes, which cannot be shown again. */
export function recoveryLines(codes: readonly string[]): string[] {
  return [
    'recovery codes, each taken once in place of the app; they are not shown again:',
    ...codes,
  ]
}
