import { restoredVersionSchema, StrictObject } from '../../../../foundation/kernel/index.ts'
import {
  comparedTemplateSchema,
  listedTemplateSchema,
  newTemplateSchema,
  templateChangeSchema,
  templateSchema,
  templateVersionSchema,
} from '../../../../insight/asset-files/index.ts'
import {
  does,
  LettersOfName,
  lists,
  makes,
  paging,
  shows,
  versionCompared,
  versionNumber,
  versionPage,
} from '../../contract/common.ts'
import { operations } from '../../operation.ts'

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
    ...lists('templates', listedTemplateSchema),
  }),
  ({ assetFiles: { templates } }, { view, query: { text, ...page } }) =>
    templates.list(view, { text }, page),
)

export const getTemplate = views.get(
  '/:template',
  'Get a template of assets with its document.',
  () => shows('The template.', templateSchema),
  ({ assetFiles: { templates } }, { view, params }) => templates.get(view, params.template),
)

export const createTemplate = changes.post(
  '',
  'Make a template of a document, or of an asset with its signals and links.',
  () => ({
    description: whole,
    body: newTemplateSchema,
    ...makes('The template.', templateSchema),
    example: {
      request: {
        name: 'Tank',
        signals: [{ key: 'level', name: 'Level', primitiveType: 'NUMERIC' }],
      },
    },
  }),
  ({ assetFiles: { templates } }, { view, subject, body }) => templates.create(view, body, subject),
)

export const replaceTemplate = changes.put(
  '/:template',
  'Make a template what a document says.',
  () => ({
    description:
      `${whole} What is left out is empty then. Assets that were made of it stay. Each change is ` +
      'a version; the newest `templateVersionsMax` are kept.',
    body: templateChangeSchema,
    ...shows('The template.', templateSchema),
    refuses: ['template_outdated'],
    example: { request: { name: 'Tank' } },
  }),
  ({ assetFiles: { templates } }, { view, subject, params, body }) =>
    templates.replace(view, params.template, body, subject),
)

export const listTemplateVersions = views.get(
  '/:template/versions',
  'List the versions of a template, newest first.',
  () => versionPage(templateVersionSchema),
  ({ assetFiles: { templates } }, { view, params, query }) =>
    templates.versions(view, params.template, query),
)

export const getTemplateVersion = views.get(
  '/:template/versions/:version',
  'Get a version of a template, and what it changed in another one.',
  () => versionCompared(comparedTemplateSchema),
  ({ assetFiles: { templates } }, { view, params, query }) =>
    templates.version(view, params.template, { version: versionNumber(params), ...query }),
)

export const restoreTemplate = changes.post(
  '/:template/restore',
  'Save an earlier version of a template again, as a new version.',
  () => ({
    description: `${whole} Assets that were made of it stay.`,
    body: restoredVersionSchema,
    ...shows('The template.', templateSchema),
    refuses: ['template_outdated'],
    example: { request: { version: 1 } },
  }),
  ({ assetFiles: { templates } }, { view, subject, params, body }) =>
    templates.restore(view, params.template, body, subject),
)

export const deleteTemplate = changes.remove(
  '/:template',
  'Delete a template.',
  () => ({ description: `${whole} Assets that were made of it stay.`, ...does('It is deleted.') }),
  ({ assetFiles: { templates } }, { view, params }) => templates.remove(view, params.template),
)
