import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { Action } from '../controls/action.tsx'
import { Form } from '../controls/form.tsx'
import { Trouble } from '../trouble.tsx'
import { type FieldsProps, isField, useFields } from './use-fields.tsx'

type Props<Name extends string> = FieldsProps<Name> & {
  /** The text of the button that sends the form. */
  readonly action: string
  readonly disabled?: boolean
  readonly onDone?: (reset: () => void) => void
  /** Stands below something, and not above it. */
  readonly isBelow?: boolean
  /** Behind the button. */
  readonly children?: ReactNode
}

/** Fields in a line, with the button that sends them. */
export function FieldsForm<Name extends string>(props: Props<Name>) {
  const { action, disabled = false, fields, onDone, isBelow = false, children } = props
  const small = fields.map((field) => (isField(field) ? { size: 'xs' as const, ...field } : field))
  const { inputs, submit, isBusy, error } = useFields({ ...props, fields: small })
  return (
    <Form onSubmit={(form, reset) => submit(form, () => onDone?.(reset))}>
      <Group gap="xs" align="end" {...(isBelow ? { mt: 'sm' } : { mb: 'xs' })}>
        {inputs}
        <Action text={action} submit busy={isBusy} disabled={disabled} />
        {children}
      </Group>
      {error !== null && <Trouble error={error} />}
    </Form>
  )
}
