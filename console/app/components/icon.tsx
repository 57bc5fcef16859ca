/** Shapes on a grid of 24, drawn in the colour of the text around them. */
const shapes = {
  tag: 'M4 4h8l8 8-8 8-8-8zM8.5 8.5h.01',
  link: 'M4 12.5l5 5L20 6.5',
  lock: 'M6 11h12v9H6zM8.5 11V7.5a3.5 3.5 0 0 1 7 0V11',
  again: 'M19 12a7 7 0 1 1-2.2-5.1M19 4v4h-4',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3.5 2',
  unlocked: 'M6 11h12v9H6zM8.5 11V7.5a3.5 3.5 0 0 1 6.8-1.2',
  check: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8 12.2l2.8 2.8L16 9.5',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v5.5M12 7.5h.01',
  warning: 'M12 4 2.5 20h19zM12 10v4.5M12 17.2h.01',
  stop: 'M8.3 3h7.4L21 8.3v7.4L15.7 21H8.3L3 15.7V8.3zM12 7.5v5.5M12 16.3h.01',
  cross: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9 9l6 6M15 9l-6 6',
  signOut: 'M14 4H5v16h9M10 12h11M17.5 8.5 21 12l-3.5 3.5',
  up: 'M12 20V4.5M5.5 11 12 4.5l6.5 6.5',
  down: 'M12 4v15.5M5.5 13l6.5 6.5 6.5-6.5',
  bin: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13',
  pause: 'M8 5v14M16 5v14',
  play: 'M7 4.5v15l12-7.5z',
  pen: 'M4 20l1-5L16 4l4 4L9 19z',
  plus: 'M12 5v14M5 12h14',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 20 20',
} as const

export type IconName = keyof typeof shapes

/** Decoration: its meaning always stands in words beside it. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={shapes[name]} />
    </svg>
  )
}
