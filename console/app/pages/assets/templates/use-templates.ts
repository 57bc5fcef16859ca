import type { UseQueryResult } from '@tanstack/react-query'
import {
  type ListedTemplate,
  listTemplates,
  replaceTemplate,
  type Template,
} from '../../../api/templates.ts'
import { useSeesAll } from '../../../components/groups/groups.ts'
import { useVersionedDraft } from '../../../components/versions/versioned-draft.ts'
import { useLive } from '../../../ui/live-queries.ts'
import { useMay } from '../../../ui/session.tsx'

/** The templates of the business, with how many assets were made of each. */
export function useTemplates(): UseQueryResult<readonly ListedTemplate[]> {
  return useLive(['templates'], listTemplates)
}

/** Returns whether the role may change templates: they are of the whole business. */
export function useMayTemplate(): boolean {
  const seesAll = useSeesAll()
  return useMay('Asset Management') && seesAll
}

export type TemplateEditing = ReturnType<typeof useTemplateDraft>

type Draft = Pick<Template, 'version' | 'document'>

/** The draft of a template, saved as one document. */
export function useTemplateDraft({ id, version, document }: Template) {
  return useVersionedDraft<Draft>({
    stored: { version, document },
    isSame: (a, b) => JSON.stringify(a.document) === JSON.stringify(b.document),
    save: (client, sent) =>
      replaceTemplate(client, id, { ...sent.document, version: sent.version }),
  })
}
