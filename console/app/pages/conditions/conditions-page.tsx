import { Group as Row } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { levels } from '../../api/assets.ts'
import type { ConditionState } from '../../api/conditions.ts'
import { levelTexts } from '../../components/asset-status.tsx'
import { SelectField } from '../../components/controls/fields.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { ConditionList, conditionTexts } from './condition-list.tsx'

const texts = defineTexts({
  state: ['State', 'Stand'],
  every: ['every level', 'jede Stufe'],
  present: ['not cleared', 'nicht erledigt'],
})

const states: readonly ConditionState[] = ['open', 'acknowledged', 'cleared']
const route = getRouteApi('/conditions')

/** The conditions of all assets that the caller sees. */
export function ConditionsPage() {
  const t = useTexts(texts)
  const names = useTexts(conditionTexts)
  const levelNames = useTexts(levelTexts)
  const { level, state, page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const become = (part: object) =>
    navigate({ search: (before) => ({ ...before, page: undefined, ...part }) })
  const filter = {
    states: state === undefined ? states.slice(0, 2) : [state],
    ...(level !== undefined && { levels: [level] }),
  }
  return (
    <>
      <PageHead title={names.title} />
      <Row gap="sm" mb="sm">
        <SelectField
          label={t.state}
          value={state ?? ''}
          data={[
            { value: '', label: t.present },
            ...states.map((value) => ({ value, label: names[value] })),
          ]}
          onChange={(next) => become({ state: next || undefined })}
        />
        <SelectField
          label={t.level}
          value={level ?? ''}
          data={[
            { value: '', label: t.every },
            ...levels.map((value) => ({ value, label: levelNames[value] })),
          ]}
          onChange={(next) => become({ level: next || undefined })}
        />
      </Row>
      <ConditionList filter={filter} page={page} onPage={(next) => become({ page: next })} />
    </>
  )
}
