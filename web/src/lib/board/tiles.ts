// The drawn map as a pyramid of picture tiles from the server: the nearest level that is sharp enough, with
// coarser ones standing in until it has arrived.

export interface TileMeta {
  /** Edge of a tile in pixels. */
  tile: number;
  min_zoom: number;
  max_zoom: number;
  /** Size of the whole picture in pixels at `max_zoom`. */
  width: number;
  height: number;
}

interface Tile {
  image: HTMLImageElement;
  ready: boolean;
  failed: boolean;
  used: number;
}

const KEEP = 420;
/** Browsers open six connections to a server: leave some for fonts and questions. */
const AT_ONCE = 4;

export class TileMap {
  private readonly tiles = new Map<string, Tile>();
  private clock = 0;
  private loading = 0;
  /** Closed: requests no more tiles. */
  private silent = false;
  /** Has the whole map arrived, if only at a coarse level? */
  visible = false;

  constructor(
    readonly meta: TileMeta,
    private readonly url: (z: number, x: number, y: number) => string,
    /** Called when a tile has arrived. */
    private readonly arrived: () => void,
    /** The same map in the previous language, drawn until this one has arrived. */
    private before: TileMap | null = null,
  ) {
    if (before) before.before = null;
  }

  /** Draw the visible part of the board. `scale` is device pixels per board unit, `boardWidth` the board's
   * width in its own units; the context maps board units to pixels. */
  draw(
    c: CanvasRenderingContext2D,
    boardWidth: number,
    scale: number,
    seen: { left: number; top: number; right: number; bottom: number },
  ): boolean {
    this.clock++;
    this.before?.redraw(c, boardWidth, scale, seen);
    const { meta } = this;
    /** Board units per picture pixel at full zoom. */
    const unit = boardWidth / meta.width;
    const wanted = meta.max_zoom + Math.log2(scale * unit);
    const z = Math.max(meta.min_zoom, Math.min(meta.max_zoom, Math.ceil(wanted - 0.25)));
    let complete = true;
    // Coarse to fine: where the best level is missing, the coarser one shows.
    // (Over the map of the previous language, only tiles of equal sharpness.)
    const levels = this.before ? [z] : z - 1 >= meta.min_zoom ? [meta.min_zoom, z - 1, z] : [meta.min_zoom, z];
    for (const level of new Set(levels)) {
      const size = meta.tile * unit * 2 ** (meta.max_zoom - level);
      const columns = Math.ceil((meta.width * unit) / size);
      const rows = Math.ceil((meta.height * unit) / size);
      const x0 = Math.max(0, Math.floor(seen.left / size));
      const x1 = Math.min(columns - 1, Math.floor(seen.right / size));
      const y0 = Math.max(0, Math.floor(seen.top / size));
      const y1 = Math.min(rows - 1, Math.floor(seen.bottom / size));
      const load = level === z || level === meta.min_zoom;
      for (let y = y0; y <= y1; y++) {
        for (let x = x0; x <= x1; x++) {
          const tile = this.tile(level, x, y, load);
          if (tile?.ready) {
            const { image } = tile;
            const perPixel = size / meta.tile;
            c.drawImage(image, x * size, y * size, image.naturalWidth * perPixel, image.naturalHeight * perPixel);
            if (level === meta.min_zoom) this.visible = true;
          } else if (level === z) complete = false;
        }
      }
    }
    this.prune();
    if (complete) this.before = null;
    return complete;
  }

  /** Draw what has arrived; request nothing. */
  private redraw(...[c, boardWidth, scale, seen]: Parameters<TileMap['draw']>): void {
    this.silent = true;
    this.draw(c, boardWidth, scale, seen);
  }

  private tile(z: number, x: number, y: number, load: boolean): Tile | undefined {
    const key = `${z}/${x}/${y}`;
    let tile = this.tiles.get(key);
    if (!tile && load && !this.silent && this.loading < AT_ONCE) {
      this.loading++;
      const image = new Image();
      image.decoding = 'async';
      tile = { image, ready: false, failed: false, used: 0 };
      const mine = tile;
      image.src = this.url(z, x, y);
      image
        .decode()
        .then(
          () => (mine.ready = true),
          () => (mine.failed = true),
        )
        .finally(() => {
          this.loading--;
          this.arrived();
        });
      this.tiles.set(key, tile);
    }
    if (tile) tile.used = this.clock;
    return tile;
  }

  private prune(): void {
    if (this.tiles.size <= KEEP) return;
    const old = [...this.tiles].sort((a, b) => a[1].used - b[1].used).slice(0, this.tiles.size - KEEP);
    for (const [key, tile] of old) if (tile.used < this.clock) this.tiles.delete(key);
  }
}
