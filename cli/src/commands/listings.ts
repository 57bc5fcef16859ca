import { UsageError } from '../command.ts'
import { type Given, list, operation } from '../operation.ts'
import { columns } from '../output/output.ts'
import { textFile } from './options.ts'

const publish =
  'npx millrace listing publish --definition-url http://127.0.0.1:9401/interface ' +
  '--base http://127.0.0.1:9401'

const definitionOptions = {
  file: {
    as: 'definition',
    read: textFile,
    meaning: 'Its OpenAPI 2.0 definition, JSON or YAML; - is the standard input.',
  },
  'definition-url': {
    as: 'definitionUrl',
    meaning: 'Where the definition is, at any path; in place of --file.',
  },
  tolerant: { flag: true, meaning: 'Accept a definition that breaks rules, for this business.' },
} as const

/** @throws UsageError for two definitions. */
function checkDefinition({ file, 'definition-url': url }: Given): void {
  if (file === undefined || url === undefined) return
  throw new UsageError('--file and --definition-url exclude each other')
}

type Problem = { readonly pointer: string; readonly detail: string }

export function problemLine({ pointer, detail }: Problem): string {
  return `${pointer || '/'}: ${detail}`
}

const idOption = { as: 'listing', meaning: 'The id of the listing; see millrace listing list.' }

/** The commands of listings of insight modules. */
export const commands = {
  'listing publish': operation('publishListing', {
    summary: 'Publish an insight module by its OpenAPI 2.0 definition, and print its id.',
    options: {
      ...definitionOptions,
      name: 'The name of the listing. Default: the title of the definition.',
      base: 'Where the module is served, if its definition does not say so.',
      public: {
        as: 'visibility',
        flag: true,
        read: () => 'public',
        meaning: 'Let every business of the instance use it.',
      },
    },
    check: checkDefinition,
    lines: ({ id }) => [id],
    notes: ({ problems }) => problems.map(problemLine),
    example: publish,
  }),
  'listing list': list('listListings', 'listings', {
    summary: 'Print the listings of a business and the public ones, oldest first.',
    row: ({ id, own, visibility, base, name }) => {
      return [id, own ? visibility : 'of another business', base, name]
    },
    example: 'npx millrace listing list',
  }),
  'listing show': operation('getListing', {
    summary: 'Print a listing with its parameters, its problems and its definition.',
    options: { id: idOption },
    lines: ({ name, visibility, base, version, parameters, problems, definition }) => [
      ...columns([
        ['name', name],
        ['visibility', visibility],
        ['base', base],
        ['version', version],
        ...parameters.map(({ name: parameter, type, secret, required }) => {
          const kind = [secret ? 'secret' : '', required ? 'required' : 'optional', type]
          return ['parameter', `${parameter}: ${kind.join(' ').trim()}`]
        }),
        ...problems.map((problem) => ['problem', problemLine(problem)]),
      ]),
      '',
      ...definition.trimEnd().split('\n'),
    ],
    example: `npx millrace listing show $(${publish} --name Shown)`,
  }),
  'listing change': operation('changeListing', {
    summary: 'Change a listing: its host, its definition, its name or who may use it.',
    options: {
      id: idOption,
      ...definitionOptions,
      name: 'Another name.',
      base: {
        read: (_option, text) => (text === '' ? null : text),
        meaning: 'Where the module is served; "" stands for where its definition says.',
      },
      visibility: {
        meaning: 'The businesses that may use it.',
        choices: ['private', 'public'],
      },
    },
    check: checkDefinition,
    lines: ({ base }, { id }) => [`the listing ${id} is at ${base}`],
    notes: ({ problems }) => problems.map(problemLine),
    example: `npx millrace listing change $(${publish}) --base http://127.0.0.1:9401/`,
  }),
  'listing remove': operation('removeListing', {
    summary: 'Remove a listing that no module uses.',
    options: { id: idOption },
    preview: 'getListingDependants',
    confirm: 'Remove the listing {id}?',
    done: 'the listing {id} is removed',
    example: `npx millrace listing remove $(${publish} --name Trial) --yes`,
  }),
}
