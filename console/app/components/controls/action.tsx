import { ActionIcon, Button, type ButtonProps } from '@mantine/core'
import type { MouseEvent } from 'react'
import { Icon, type IconName } from '../icon.tsx'

type Props = Omit<ButtonProps, 'children' | 'leftSection' | 'loading' | 'size' | 'variant'> & {
  readonly text: string
  readonly icon?: IconName
  /** The object of the action, for screen readers, where the text alone does not name it. */
  readonly of?: string
  /** The first action of its place. */
  readonly main?: boolean
  /** Sends the form, which makes it the first action. */
  readonly submit?: boolean
  /** Stands in a row of a table, or beside a field. */
  readonly small?: boolean
  readonly busy?: boolean
  readonly title?: string | undefined
  readonly onClick?: ((event: MouseEvent<HTMLButtonElement>) => void) | undefined
  readonly 'aria-label'?: string
  readonly 'aria-expanded'?: boolean
  readonly 'data-autofocus'?: boolean
}

/** A button as all pages have it. */
export function Action({ text, icon, of, main, submit, small, busy, ...rest }: Props) {
  // Without a variant it has the theme's colours, which keep their contrast under the pointer.
  const look = main || submit ? {} : { variant: 'default' }
  return (
    <Button
      size={small ? 'compact-xs' : 'xs'}
      type={submit ? 'submit' : 'button'}
      loading={busy ?? false}
      leftSection={icon && <Icon name={icon} size={14} />}
      {...look}
      {...(of !== undefined && { 'aria-label': `${text}: ${of}` })}
      {...rest}
    >
      {text}
    </Button>
  )
}

type IconProps = {
  readonly icon: IconName
  /** The name of the action and of its object. */
  readonly label: string
  readonly onClick: () => void
}

/** An action of a row that is known by its sign. */
export function IconAction({ icon, label, onClick }: IconProps) {
  return (
    <ActionIcon variant="default" size="sm" aria-label={label} onClick={onClick}>
      <Icon name={icon} size={14} />
    </ActionIcon>
  )
}

/** The same beside an age, as tall as the line. */
export function SmallIcon({ icon, label, onClick }: IconProps) {
  return (
    <Button variant="default" size="compact-xs" aria-label={label} onClick={onClick}>
      <Icon name={icon} size={14} />
    </Button>
  )
}
