import { Stack } from '@mantine/core'
import type { Solution } from '../../../api/notifications.ts'
import { LimitsForm } from './limits-form.tsx'
import { UsagePane } from './usage-pane.tsx'
import { VariablesPane } from './variables-pane.tsx'

/** The settings of a solution: its name, its limits, its variables; and its use. */
export function SettingsView({ solution }: { readonly solution: Solution }) {
  return (
    <Stack gap="sm">
      <VariablesPane solution={solution.id} />
      <LimitsForm solution={solution} />
      <UsagePane solution={solution.id} />
    </Stack>
  )
}
