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
  home: 'M3 11.5 12 4l9 7.5M5.5 9.5V20h13V9.5',
  device: 'M7 7h10v10H7zM10 3v4M14 3v4M10 17v4M14 17v4M3 10h4M3 14h4M17 10h4M17 14h4',
  asset: 'M4 20V9l6 4V9l6 4V4h4v16z',
  code: 'M8.5 7 3.5 12l5 5M15.5 7l5 5-5 5',
  chart: 'M4 20V4M4 20h16M8 16v-4M12 16V8M16 16v-6',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l1.5 2h-15zM10.5 21.5h3',
  store: 'M4 10h16l-1.5-6h-13zM5 10v10h14V10M10 20v-6h4v6',
  setup: 'M4 7h9M17 7h3M15 4.5v5M4 17h3M11 17h9M9 14.5v5',
  flow: 'M4 4h6v6H4zM14 14h6v6h-6zM7 10v7h7',
  user: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20.5a7.5 7.5 0 0 1 15 0',
  query: 'M4 5h16M4 10h10M4 15h12M4 20h7',
  download: 'M12 4v11.5M6.5 10.5 12 16l5.5-5.5M4 20h16',
  map: 'M12 21c4.5-5 6.5-8.3 6.5-11.2a6.5 6.5 0 0 0-13 0C5.5 12.7 7.5 16 12 21zM12 8.5h.01',
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
