// Makes aeo/world/shapes.json: the outlines of countries by their codes, and dots for small ones.
//
// Outlines are of Natural Earth (public domain), as in the package world-atlas. Places of countries without an outline are
// of zone.tab of the time zone database (public domain): its first city of each country. Nothing of it is drawn by hand.
//
//   node make.mjs zone.tab shapes.json
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { countries } from "countries-list";
import { forceCollide, forceSimulation, forceX, forceY } from "d3-force";
import { geoArea, geoAzimuthalEqualArea, geoCentroid, geoContains, geoEqualEarth, geoPath } from "d3-geo";
import iso from "i18n-iso-countries";
import { feature } from "topojson-client";

const [zones, target] = process.argv.slice(2);
const atlas = createRequire(import.meta.url)("world-atlas/countries-110m.json");

// Twice the pixels of a phone, so that whole numbers are exact enough.
const WIDTH = 720;
// A finger needs 24 pixels.
const TARGET = 48;
// The UN's numbers of continents, by which CLDR names them, and what is shown of each: west, south, east, north, and
// places beyond.
const REGIONS = new Map([
  ["150", { of: "EU", box: [-24, 34.5, 45, 71] }],
  ["142", { of: "AS", box: [27, -10, 145, 78], also: [[-170, 65]] }],
  ["002", { of: "AF", box: [-25, -35, 60, 37] }],
  ["003", { of: "NA", box: [-165, 13, -52, 74] }],
  ["029", { of: "NA", box: [-90, 7, -58, 27.5] }],
  ["005", { of: "SA", box: [-82, -55, -34, 12.5] }],
  ["009", { of: "OC", box: [112, -48, 215, 20] }],
]);
// In Natural Earth without a number; the release's code of it is no ISO code either.
const UNNUMBERED = { Kosovo: "XK" };
// Uninhabited, so in no time zone: the only place of a code that no source above has.
const UNINHABITED = { BV: [3.41, -54.42], HM: [73.5, -53.1] };

function cities() {
  const found = { ...UNINHABITED };
  for (const line of readFileSync(zones, "utf8").split("\n")) {
    if (!line || line.startsWith("#")) continue;
    const [code, place] = line.split("\t");
    const [, south, east] = place.match(/^([+-]\d+)([+-]\d+)$/);
    found[code] ??= [degrees(east, 3), degrees(south, 2)];
  }
  return found;
}

function degrees(text, digits) {
  const sign = text[0] === "-" ? -1 : 1;
  const [whole, minutes, seconds] = [text.slice(1, 1 + digits), text.slice(1 + digits, 3 + digits), text.slice(3 + digits)];
  return sign * (Number(whole) + Number(minutes) / 60 + Number(seconds || 0) / 3600);
}

function polygonsOf(geometry) {
  return geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
}

const polygon = (coordinates) => ({ type: "Polygon", coordinates });

// Outlines by code; those without a code of their own are land.
function outlines(places) {
  const found = { "": [] };
  for (const one of feature(atlas, atlas.objects.countries).features) {
    const code = iso.numericToAlpha2(one.id) ?? UNNUMBERED[one.properties.name] ?? "";
    if (code === "AQ") continue;
    (found[code] ??= []).push(...polygonsOf(one.geometry));
  }
  // An island or a coast overseas that has a code of its own is not a part of the country that Natural Earth counts it to.
  for (const [code, place] of Object.entries(places)) {
    if (code in found) continue;
    for (const [owner, parts] of Object.entries(found)) {
      const largest = largestOf(parts);
      const own = owner ? parts.filter((one) => one !== largest && geoContains(polygon(one), place)) : [];
      if (own.length) {
        found[owner] = parts.filter((one) => !own.includes(one));
        found[code] = own;
        break;
      }
    }
  }
  return found;
}

function largestOf(parts) {
  return parts.reduce((best, one) => (!best || geoArea(polygon(one)) > geoArea(polygon(best)) ? one : best), undefined);
}

// A path of whole numbers, each relative to the one before; empty if nothing of it can be seen.
function written(path) {
  if (!path) return "";
  return path
    .split("M")
    .slice(1)
    .map((ring) => {
      const points = ring
        .replace("Z", "")
        .split("L")
        .map((pair) => pair.split(",").map(Math.round))
        .filter(([x, y], at, all) => at === 0 || x !== all[at - 1][0] || y !== all[at - 1][1]);
      if (points.length < 3) return "";
      const [[x, y], ...others] = points;
      let [fromX, fromY] = [x, y];
      const steps = others.map(([toX, toY]) => {
        const step = `${toX - fromX},${toY - fromY}`;
        [fromX, fromY] = [toX, toY];
        return step;
      });
      return `M${x},${y}l${steps.join(" ")}z`.replaceAll(",-", "-").replaceAll(" -", "-");
    })
    .join("");
}

function shapesOf(projection, found) {
  const path = geoPath(projection).digits(2);
  const shapes = {};
  for (const [code, parts] of Object.entries(found).sort()) {
    const drawn = parts.map((one) => written(path(polygon(one)))).join("");
    if (drawn) shapes[code] = drawn;
  }
  return shapes;
}

function world(found, places) {
  const projection = geoEqualEarth();
  const land = { type: "MultiPolygon", coordinates: Object.values(found).flat() };
  projection.fitWidth(WIDTH, land);
  const [, [, height]] = geoPath(projection).bounds(land);
  const shapes = shapesOf(projection, found);
  const dots = {};
  for (const [code, place] of Object.entries(places).sort()) {
    if (!(code in shapes)) dots[code] = projection(place).map(Math.round);
  }
  return { height: Math.ceil(height), shapes, dots };
}

function isWithin([west, south, east, north], [lon, lat]) {
  return lat >= south && lat <= north && (lon + 360 - west) % 360 <= east - west;
}

// The codes of each region: by continent, and the islands of the Caribbean apart.
function membersOf(region, middles) {
  return Object.keys(middles).filter((code) => {
    const continent = countries[code]?.continent;
    // The far south has few people, and no picture of its own.
    if (continent === "AN") return region === (middles[code][0] < -20 ? "005" : "002");
    if (continent !== REGIONS.get(region).of) return false;
    if (continent !== "NA") return true;
    const isCaribbean = isWithin(REGIONS.get("029").box, middles[code]);
    return isCaribbean === (region === "029");
  });
}

function region(name, found, middles) {
  const [west, south, east, north] = REGIONS.get(name).box;
  const edge = [...(REGIONS.get(name).also ?? [])];
  for (let at = 0; at <= 1; at += 0.05) {
    const [lon, lat] = [west + (east - west) * at, south + (north - south) * at];
    edge.push([lon, south], [lon, north], [west, lat], [east, lat]);
  }
  const seen = { type: "MultiPoint", coordinates: edge };
  const projection = geoAzimuthalEqualArea()
    .rotate([-(west + east) / 2, -(south + north) / 2])
    .precision(0.3)
    .fitWidth(WIDTH, seen);
  const height = Math.ceil(geoPath(projection).bounds(seen)[1][1]);
  projection.clipExtent([[0, 0], [WIDTH, height]]);
  const members = membersOf(name, middles);
  const outlined = Object.fromEntries(members.filter((code) => code in found).map((code) => [code, found[code]]));
  const shapes = shapesOf(projection, outlined);
  const small = members.filter((code) => !shapes[code] || !isLarge(projection, found[code]));
  return { region: name, height, shapes, dots: dotsOf(projection, small, middles, height) };
}

// Whether the largest part has room for a finger.
function isLarge(projection, parts) {
  const path = geoPath(projection);
  const largest = polygon(largestOf(parts));
  const [[left, top], [right, bottom]] = path.bounds(largest);
  return right - left >= TARGET && bottom - top >= TARGET && path.area(largest) >= TARGET * TARGET * 0.8;
}

// Dots beside each other, each as near to its place as there is room: x, y, and the place itself.
function dotsOf(projection, codes, middles, height) {
  const clamp = (value, most) => Math.max(TARGET / 2, Math.min(most - TARGET / 2, value));
  const unclipped = (place) => {
    const extent = projection.clipExtent();
    const point = projection.clipExtent(null)(place);
    projection.clipExtent(extent);
    return point;
  };
  const nodes = codes.sort().map((code) => {
    const [x, y] = unclipped(middles[code]);
    const [placeX, placeY] = [clamp(x, WIDTH), clamp(y, height)];
    return { code, x: placeX, y: placeY, placeX, placeY };
  });
  const simulation = forceSimulation(nodes)
    .force("x", forceX((one) => one.placeX).strength(0.1))
    .force("y", forceY((one) => one.placeY).strength(0.1))
    .force("apart", forceCollide(TARGET / 2 + 1).strength(1).iterations(8))
    .stop();
  for (let tick = 0; tick < 600; tick += 1) {
    simulation.tick();
    for (const one of nodes) [one.x, one.y] = [clamp(one.x, WIDTH), clamp(one.y, height)];
  }
  return Object.fromEntries(nodes.map((one) => [one.code, [one.x, one.y, one.placeX, one.placeY].map(Math.round)]));
}

const places = cities();
const found = outlines(places);
const middles = { ...places };
for (const [code, parts] of Object.entries(found)) {
  if (code) middles[code] = geoCentroid(polygon(largestOf(parts)));
}
const made = {
  origin: "Natural Earth (public domain), as in world-atlas; cities of the time zone database (public domain): make shapes",
  width: WIDTH,
  world: world(found, places),
  regions: [...REGIONS.keys()].map((name) => region(name, found, middles)),
};
writeFileSync(target, `${JSON.stringify(made, null, 1)}\n`);
