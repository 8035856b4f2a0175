import { mapWords as words } from '../texts/index.ts';

export interface MapButtonsProps {
  /** Zooms in by a factor; out, if it is below 1. */
  onZoom(factor: number): void;
  onShowAll(): void;
}

/** How much a button zooms. */
const buttonFactor = 2;

/** The buttons over the map, which zoom it. */
export function MapButtons({ onZoom, onShowAll }: MapButtonsProps) {
  return (
    <div class="map-buttons">
      <MapButton label={words.closer} sign="+" onClick={() => onZoom(buttonFactor)} />
      <MapButton label={words.further} sign="−" onClick={() => onZoom(1 / buttonFactor)} />
      <MapButton label={words.all} sign="⤢" onClick={onShowAll} />
    </div>
  );
}

interface MapButtonProps {
  readonly label: string;
  readonly sign: string;
  onClick(): void;
}

function MapButton({ label, sign, onClick }: MapButtonProps) {
  return (
    <button type="button" aria-label={label} title={label} onClick={onClick}>
      {sign}
    </button>
  );
}
