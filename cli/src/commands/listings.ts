import { unwrap } from '@millrace/client'
import { defineCommand, UsageError } from '../command.ts'
import type { Input } from '../input.ts'
import { columns } from '../output/output.ts'
import { deletionOptions, showPreview } from '../output/preview.ts'

const publish =
  'npx millrace listing publish --definition-url http://127.0.0.1:9401/interface ' +
  '--base http://127.0.0.1:9401'

const definitionOptions = {
  file: { meaning: 'Its OpenAPI 2.0 definition, JSON or YAML; - is the standard input.' },
  'definition-url': { meaning: 'Where the definition is, at any path; in place of --file.' },
  tolerant: { meaning: 'Accept a definition that breaks rules, for this business.', flag: true },
} as const

type DefinitionValues = {
  readonly file: string | undefined
  readonly 'definition-url': string | undefined
  readonly tolerant: boolean
}

/** The definition that the options name, as the API takes it. @throws UsageError */
async function definitionOf(input: Input, values: DefinitionValues) {
  const { file, 'definition-url': definitionUrl, tolerant } = values
  if (file !== undefined && definitionUrl !== undefined) {
    throw new UsageError('--file and --definition-url exclude each other')
  }
  return {
    ...(file !== undefined && { definition: await input.textOfFile('file', file) }),
    ...(definitionUrl !== undefined && { definitionUrl }),
    ...(tolerant && { tolerant }),
  }
}

type Problem = { readonly pointer: string; readonly detail: string }

function problemLine({ pointer, detail }: Problem): string {
  return `${pointer || '/'}: ${detail}`
}

export const listingPublish = defineCommand({
  options: {
    ...definitionOptions,
    name: { meaning: 'The name of the listing. Default: the title of the definition.' },
    base: { meaning: 'Where the module is served, if its definition does not say so.' },
    public: { meaning: 'Let every business of the instance use it.', flag: true },
  },
  example: publish,
  routes: ['publishListing'],
  async run({ name, base, public: isPublic, ...definition }, { client, input, out }) {
    const api = await client()
    const body = {
      ...(await definitionOf(input, definition)),
      ...(name !== undefined && { name }),
      ...(base !== undefined && { base }),
      ...(isPublic && { visibility: 'public' as const }),
    }
    const listing = await unwrap(api.POST('/api:1/listings', { body }))
    out.show(listing, () => [listing.id])
    for (const problem of listing.problems) out.note(problemLine(problem))
    return undefined
  },
})

export const listingList = defineCommand({
  options: {},
  example: 'npx millrace listing list',
  routes: ['listListings'],
  async run(_values, { client, out }) {
    const api = await client()
    const { listings } = await unwrap(api.GET('/api:1/listings'))
    out.show(listings, () =>
      columns(
        listings.map(({ id, own, visibility, base, name }) => {
          return [id, own ? visibility : 'of another business', base, name]
        }),
      ),
    )
    return undefined
  },
})

const idOption = { meaning: 'The id of the listing; see millrace listing list.', required: true }

export const listingShow = defineCommand({
  options: { id: { ...idOption, required: true } },
  operand: 'id',
  example: `npx millrace listing show $(${publish} --name Shown)`,
  routes: ['getListing'],
  async run({ id: listing }, { client, out }) {
    const api = await client()
    const found = await unwrap(api.GET('/api:1/listings/{listing}', { params: path(listing) }))
    const { name, visibility, base, version, parameters, problems, definition } = found
    out.show(found, () => [
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
    ])
    return undefined
  },
})

function path(listing: string) {
  return { path: { listing } }
}

export const listingChange = defineCommand({
  options: {
    id: { ...idOption, required: true },
    ...definitionOptions,
    name: { meaning: 'Another name.' },
    base: { meaning: 'Where the module is served; "" stands for where its definition says.' },
    visibility: { meaning: 'The businesses that may use it.', choices: ['private', 'public'] },
  },
  operand: 'id',
  example: `npx millrace listing change $(${publish}) --base http://127.0.0.1:9401/`,
  routes: ['changeListing'],
  async run({ id: listing, name, base, visibility, ...definition }, { client, input, out }) {
    const api = await client()
    const body = {
      ...(await definitionOf(input, definition)),
      ...(name !== undefined && { name }),
      ...(base !== undefined && { base: base === '' ? null : base }),
      ...(visibility !== undefined && { visibility: visibility as 'private' | 'public' }),
    }
    const params = path(listing)
    const changed = await unwrap(api.PATCH('/api:1/listings/{listing}', { params, body }))
    out.show(changed, () => [`the listing ${listing} is at ${changed.base}`])
    for (const problem of changed.problems) out.note(problemLine(problem))
    return undefined
  },
})

export const listingRemove = defineCommand({
  options: { id: { ...idOption, required: true }, 'dry-run': deletionOptions['dry-run'] },
  operand: 'id',
  example: `npx millrace listing remove $(${publish} --name Trial) --yes`,
  routes: ['removeListing', 'getListingDependants'],
  async run({ id: listing, 'dry-run': dry }, { client, out, confirm }) {
    const api = await client()
    if (dry) {
      const url = '/api:1/listings/{listing}/dependants'
      showPreview(out, await unwrap(api.GET(url, { params: path(listing) })))
      return undefined
    }
    await confirm(`Remove the listing ${listing}?`)
    await unwrap(api.DELETE('/api:1/listings/{listing}', { params: path(listing) }))
    out.print(`the listing ${listing} is removed`)
    return undefined
  },
})
