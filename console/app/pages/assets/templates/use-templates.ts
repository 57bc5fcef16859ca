import type { UseQueryResult } from '@tanstack/react-query'
import { type ListedTemplate, listTemplates } from '../../../api/templates.ts'
import { useSeesAll } from '../../../components/groups/groups.ts'
import { listEveryMs, useLive } from '../../../ui/live.ts'
import { useMay } from '../../../ui/session.tsx'

/** The templates of the business, with how many assets were made of each. */
export function useTemplates(): UseQueryResult<readonly ListedTemplate[]> {
  return useLive({ key: ['templates'], read: listTemplates, everyMs: listEveryMs })
}

/** Whether the role may change templates: they are of the whole business. */
export function useMayTemplate(): boolean {
  const seesAll = useSeesAll()
  return useMay('Asset Management') && seesAll
}
