import type { TemplateFiles } from '../../../asset-files/index.ts'
import { documentOf, type Template } from '../../../assets/index.ts'
import {
  AnyValue,
  component,
  Microseconds,
  Nullable,
  RecordOf,
  type StaticResult,
  StrictObject,
  Type,
} from '../../../kernel/index.ts'
import { does, LettersOfName, lists, makes, paging, shows } from '../../contract/common.ts'
import {
  changedVersion,
  differenceSchema,
  restoredVersion,
  savedBy,
  sinceAny,
  sinceBefore,
  versionCompared,
  versionFields,
  versionNumber,
  versionPage,
} from '../../contract/schemas/versions.ts'
import { operations } from '../../operation.ts'
import { linkSchema } from '../insight/pipelines.ts'

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

const times = {
  createdAt: Microseconds(undefined, { wire: 'created' }),
  updatedAt: Microseconds(undefined, { wire: 'changed' }),
}

const template = component('Template', {
  id: Type.String(),
  ...times,
  version: Type.Integer({ description: 'The number of the newest version.' }),
  savedBy: savedBy('A user or a token; null: the platform.'),
  document,
})

const listed = component('ListedTemplate', {
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  assetType: Nullable(Type.String(), { wire: 'asset_type' }),
  signals: Type.Integer({ description: 'How many it has.' }),
  links: Type.Integer({ description: 'How many it has.' }),
  assets: Type.Integer({ description: 'How many that the caller sees were made of it.' }),
  ...times,
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

type ComparedVersion = StaticResult<typeof comparedVersion>

const whole = 'For those who see the whole business.'

const views = operations('assets', 'View Asset', '/api:1/templates', {
  isNamed: true,
  ofGroups: true,
})
const changes = operations('assets', 'Asset Management', '/api:1/templates', {
  isNamed: true,
  ofGroups: true,
})

export const listTemplates = views.get(
  '',
  'List the templates of assets, in the order in which they were made.',
  () => ({
    query: StrictObject({
      text: LettersOfName(),
      ...paging(),
    }),
    ...lists('templates', listed, 'A page.'),
  }),
  async ({ assetFiles: { templates } }, { view, query: { text, ...page } }) => {
    const found = await templates.list(view, { text }, page)
    const ids = found.map(({ id }) => id)
    const counts = await templates.countAssets(view, ids)
    return { templates: found.map((one) => inList(one, counts.get(one.id) ?? 0)) }
  },
)

export const getTemplate = views.get(
  '/:template',
  'Get a template of assets with its document.',
  () => shows('The template.', template),
  async ({ assetFiles: { templates } }, { view, params }) =>
    bodyOf(await templates.get(view, params.template)),
)

export const createTemplate = changes.post(
  '',
  'Make a template of a document, or of an asset with its signals and links.',
  () => ({
    description: whole,
    body: StrictObject({
      ...fields,
      asset: Type.Optional(
        Type.String({ description: 'An asset; then neither `signals` nor `links` is given.' }),
      ),
    }),
    ...makes('The template.', template),
    example: {
      request: {
        name: 'Tank',
        signals: [{ key: 'level', name: 'Level', primitiveType: 'NUMERIC' }],
      },
    },
  }),
  async ({ assetFiles: { templates } }, { view, subject, body }) =>
    bodyOf(await templates.create(view, body as NewDocument, subject)),
)

export const replaceTemplate = changes.put(
  '/:template',
  'Make a template what a document says.',
  () => ({
    description:
      `${whole} What is left out is empty then. Assets that were made of it stay. Each change is ` +
      'a version; the newest `templateVersionsMax` are kept.',
    body: component(
      'TemplateChange',
      { ...fields, version: changedVersion },
      { description: 'A document, and the version that it replaces.' },
    ),
    ...shows('The template.', template),
    refuses: ['template_outdated'],
    example: { request: { name: 'Tank' } },
  }),
  async ({ assetFiles: { templates } }, { view, subject, params, body }) =>
    bodyOf(await templates.replace(view, params.template, body as Document, subject)),
)

export const listTemplateVersions = views.get(
  '/:template/versions',
  'List the versions of a template, newest first.',
  () => versionPage(version),
  async ({ assetFiles: { templates } }, { view, params, query }) => {
    return { versions: await templates.versions(view, params.template, query) }
  },
)

export const getTemplateVersion = views.get(
  '/:template/versions/:version',
  'Get a version of a template, and what it changed in another one.',
  () => versionCompared(comparedVersion),
  async ({ assetFiles: { templates } }, { view, params, query: { since } }) => {
    const number = { version: versionNumber(params.version), since }
    return (await templates.version(view, params.template, number)) as ComparedVersion
  },
)

export const restoreTemplate = changes.post(
  '/:template/restore',
  'Save an earlier version of a template again, as a new version.',
  () => ({
    description: `${whole} Assets that were made of it stay.`,
    body: restoredVersion,
    ...shows('The template.', template),
    refuses: ['template_outdated'],
    example: { request: { version: 1 } },
  }),
  async ({ assetFiles: { templates } }, { view, subject, params, body }) =>
    bodyOf(await templates.restore(view, params.template, body, subject)),
)

export const deleteTemplate = changes.remove(
  '/:template',
  'Delete a template.',
  () => ({ description: `${whole} Assets that were made of it stay.`, ...does('It is deleted.') }),
  ({ assetFiles: { templates } }, { view, params }) => templates.remove(view, params.template),
)

type NewDocument = Parameters<TemplateFiles['create']>[1]

type Document = Parameters<TemplateFiles['replace']>[2]

/** Signals have the types of their documents. */
function bodyOf(one: Template) {
  const document = documentOf(one) as StaticResult<typeof template>['document']
  return { ...one, document }
}

function inList(one: Template, assets: number) {
  return { ...one, signals: one.signals.length, links: one.links.length, assets }
}
