import {
  AnyValue,
  limits,
  Nullable,
  RecordOf,
  type Static,
  StrictObject,
  Type,
} from '../../../kernel/index.ts'
import { component, json, Microseconds, nothing, Offset, PageSize, PathText } from '../common.ts'
import { contract } from '../contract.ts'
import { linkSchema } from '../insight/pipelines.ts'
import {
  changedVersion,
  differenceSchema,
  restoredVersion,
  sinceAny,
  sinceBefore,
  versionCompared,
  versionFields,
  versionPage,
} from './versions.ts'

const display = StrictObject(
  {
    visualize: Type.Optional(Type.Boolean()),
    record: Type.Optional(Type.Boolean()),
    favorite: Type.Optional(Type.Boolean()),
    archived: Type.Optional(Type.Boolean()),
    deviceDiagnostic: Type.Optional(Type.Boolean()),
    control: Type.Optional(Type.Boolean()),
    baseline: Type.Optional(Type.Number()),
    target: Type.Optional(Type.Number()),
    sampleRateMs: Type.Optional(Type.Number()),
    reportRateMs: Type.Optional(Type.Number()),
    displayFormat: Type.Optional(Type.String()),
    visualizationUnitsMetric: Type.Optional(Type.String()),
    visualizationUnitsUS: Type.Optional(Type.String()),
  },
  { description: 'How it is shown.' },
)

const signal = component(
  'TemplateSignal',
  {
    key: Type.String({ description: 'The name by which links of the template refer to it.' }),
    name: Type.String(),
    description: Type.Optional(Type.String()),
    primitiveType: Type.Enum(['NUMERIC', 'STRING', 'BOOLEAN', 'JSON']),
    dataType: Type.Optional(Type.String({ description: 'Such as TEMPERATURE.' })),
    dataUnit: Type.Optional(Type.String({ description: 'Such as DEG_CELSIUS.' })),
    precision: Type.Optional(Type.Number({ description: 'Digits behind the point.' })),
    min: Type.Optional(Type.Number()),
    max: Type.Optional(Type.Number()),
    multiplier: Type.Optional(Type.Number()),
    offset: Type.Optional(Type.Number()),
    source: Type.Optional(
      StrictObject(
        { alias: Type.String(), channel: Type.Optional(Type.String()) },
        { description: "A resource of the asset's own device, or a channel of it." },
      ),
    ),
    timeoutMs: Type.Optional(Type.Number({ description: 'Silent after so many milliseconds.' })),
    tags: Type.Optional(RecordOf(Type.String())),
    display: Type.Optional(display),
  },
  { description: 'A signal that each asset of a template gets.' },
)

const fields = {
  name: Type.String(),
  description: Type.Optional(Type.String()),
  assetType: Type.Optional(Type.String({ description: 'The kind of thing that its assets are.' })),
  meta: Type.Optional(
    RecordOf(AnyValue<never>(), { description: 'What other programs keep with its assets.' }),
  ),
  signals: Type.Optional(Type.Array(signal)),
  links: Type.Optional(
    Type.Array(linkSchema, { description: 'A `signalId` is the key of a signal.' }),
  ),
}

const document = component('TemplateDocument', fields, {
  description: 'A template without what belongs to one instance: another one takes it as it is.',
})

const template = component('Template', {
  id: Type.String(),
  created: Microseconds(),
  changed: Microseconds(),
  version: Type.Integer({ description: 'The number of the newest version.' }),
  saved_by: Nullable(Type.String(), { description: 'A user or a token; null: the platform.' }),
  document,
})

export type TemplateBody = Static<typeof template>

const listed = component('ListedTemplate', {
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  asset_type: Nullable(Type.String()),
  signals: Type.Integer({ description: 'How many it has.' }),
  links: Type.Integer({ description: 'How many it has.' }),
  assets: Type.Integer({ description: 'How many that the caller sees were made of it.' }),
  created: Microseconds(),
  changed: Microseconds(),
})

const difference = component(
  'TemplateDifference',
  {
    fields: Type.Array(Type.String(), { description: 'Of `name description assetType meta`.' }),
    signals: differenceSchema('By the keys of signals.'),
    links: differenceSchema('By the references of links.'),
  },
  { description: 'What changed from one version of a template to another.' },
)

const version = component('TemplateVersion', {
  ...versionFields,
  difference: sinceBefore(difference),
})

const comparedVersion = component('ComparedTemplateVersion', {
  ...versionFields,
  document,
  difference: sinceAny(difference),
})

export type TemplateVersionBody = Static<typeof comparedVersion>

const params = StrictObject({ template: PathText('The id of a template.') })
const path = '/api:1/templates'
const common = { tag: 'assets', ofGroups: true } as const
const whole = 'For those who see the whole business.'

export const listTemplates = contract(
  {
    ...common,
    id: 'listTemplates',
    method: 'GET',
    path,
    permission: 'View Asset',
    summary: 'List the templates of assets, in the order in which they were made.',
  },
  () => ({
    query: StrictObject({
      text: Type.Optional(Type.String({ description: 'Letters of the name or description.' })),
      limit: PageSize(limits.pageMax),
      offset: Offset(),
    }),
    answers: { 200: json('A page.', StrictObject({ templates: Type.Array(listed) })) },
  }),
)

export const getTemplate = contract(
  {
    ...common,
    id: 'getTemplate',
    method: 'GET',
    path: `${path}/:template`,
    permission: 'View Asset',
    summary: 'Get a template of assets with its document.',
  },
  () => ({ params, answers: { 200: json('The template.', template) } }),
)

export const createTemplate = contract(
  {
    ...common,
    id: 'createTemplate',
    method: 'POST',
    path,
    permission: 'Asset Management',
    summary: 'Make a template of a document, or of an asset with its signals and links.',
    description: whole,
  },
  () => ({
    body: StrictObject({
      ...fields,
      asset: Type.Optional(
        Type.String({ description: 'An asset; then neither `signals` nor `links` is given.' }),
      ),
    }),
    answers: { 201: json('The template.', template) },
    example: {
      request: {
        name: 'Tank',
        signals: [{ key: 'level', name: 'Level', primitiveType: 'NUMERIC' }],
      },
    },
  }),
)

export const replaceTemplate = contract(
  {
    ...common,
    id: 'replaceTemplate',
    method: 'PUT',
    path: `${path}/:template`,
    permission: 'Asset Management',
    summary: 'Make a template what a document says.',
    description:
      `${whole} What is left out is empty then. Assets that were made of it stay. Each change is ` +
      'a version; the newest `templateVersionsMax` are kept.',
  },
  () => ({
    params,
    body: component(
      'TemplateChange',
      { ...fields, version: changedVersion },
      { description: 'A document, and the version that it replaces.' },
    ),
    answers: { 200: json('The template.', template) },
    refuses: ['template_outdated'],
    example: { request: { name: 'Tank' } },
  }),
)

export const listTemplateVersions = contract(
  {
    ...common,
    id: 'listTemplateVersions',
    method: 'GET',
    path: `${path}/:template/versions`,
    permission: 'View Asset',
    summary: 'List the versions of a template, newest first.',
  },
  () => ({ params, ...versionPage(version) }),
)

export const getTemplateVersion = contract(
  {
    ...common,
    id: 'getTemplateVersion',
    method: 'GET',
    path: `${path}/:template/versions/:version`,
    permission: 'View Asset',
    summary: 'Get a version of a template, and what it changed in another one.',
  },
  () => versionCompared(params.properties, comparedVersion),
)

export const restoreTemplate = contract(
  {
    ...common,
    id: 'restoreTemplate',
    method: 'POST',
    path: `${path}/:template/restore`,
    permission: 'Asset Management',
    summary: 'Save an earlier version of a template again, as a new version.',
    description: `${whole} Assets that were made of it stay.`,
  },
  () => ({
    params,
    body: restoredVersion,
    answers: { 200: json('The template.', template) },
    refuses: ['template_outdated'],
    example: { request: { version: 1 } },
  }),
)

export const deleteTemplate = contract(
  {
    ...common,
    id: 'deleteTemplate',
    method: 'DELETE',
    path: `${path}/:template`,
    permission: 'Asset Management',
    summary: 'Delete a template.',
    description: `${whole} Assets that were made of it stay.`,
  },
  () => ({ params, answers: { 204: nothing('It is deleted.') } }),
)
