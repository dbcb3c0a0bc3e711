// A case for the smallest set: a Raspberry Pi, an RC522, an OLED of 128x64 and four buttons.
//
// Two halves and a clip, printed flat and without supports. Nothing lies above anything else, so all
// wires can be plugged with the lid beside the base. Seen by whoever sits before it:
//
//     back    the Raspberry Pi, its sockets at the back wall
//     middle  the reader under a thin roof, and the display beside it
//     front   four buttons: up, down, ok, back
//
// `make case` writes the STL files and the pictures. Lengths are millimetres; x runs to the right, y to
// the back, z up, from the inner corner at the front on the left.
//
// Lines "name = value;" up to "The rest follows" are read by tests/hardware too.

part = "closed";  // or "open", to be looked at; "base", "lid", "clip", to be printed
model = "zero";   // Zero 2 W; "b": Raspberry Pi 3, 4 or 5

// Reader: the usual RC522 board. Two holes lie near the antenna's end, two nearer to the pins.
reader = [60, 40];
reader_hole_insets = [7.5, 15.5];  // from the antenna's end, from the end with the pins
reader_hole_gaps = [25, 34];       // between the two holes at either end
reader_gap = 4;                    // between board and roof, for the solder at its back

// Display: 0.96 inches. For one of 1.3 inches: [36, 34.5], [31, 17] and [0, 2].
oled = [27.6, 28.2];
oled_window = [25, 14];
oled_window_shift = [0, 2];  // the picture lies nearer to the edge with the pins, which is at the back
oled_glass = 1.5;
oled_board = 1.2;

// Buttons with a thread and a nut, in a row.
button_hole = 12.2;
button_pitch = 21;
button_room = 9.5;  // half the width of the nut across its corners

// Raspberry Pi. Holes and sockets are counted from the corner at the SD card's end, on the side of
// the sockets; sockets: middle, width and height of the opening.
board = pick([65, 30], [85, 56]);
board_holes = pick([[3.5, 3.5], [61.5, 3.5], [3.5, 26.5], [61.5, 26.5]],
                   [[3.5, 3.5], [61.5, 3.5], [3.5, 52.5], [61.5, 52.5]]);
sockets = pick([[12.4, 17, 9], [41.4, 13, 9], [54, 13, 9]], [[32, 58, 10]]);
end_sockets = pick(0, 17);  // height of the opening for USB and Ethernet, 0 for none
board_thickness = 1.4;
standoff = 4;

// Walls.
wall = 2.4;
floor_thickness = 2;
roof = 2;
thin_roof = 1.2;
inner_height = 30;  // a socket on the header, 14, and the bend of its wire want that much
corner = 4;
post = 8;

// Holes of screws: what they are cut into, and what they pass through.
pilot = 2.1;        // M2.5
lid_pilot = 2.5;    // M3
lid_hole = 3.4;
lid_head = 6.4;

// Where things lie.
inner_width = 112;
row_buttons = 12;
row_reader = 46;
reader_x = 33;
oled_x = 87.5;
board_x = pick(23.5, 0.5);
board_y = pick(69, 77);
inner_depth = board_y + board[1] + 0.5;
posts = [[3.5, 3.5], [inner_width - 3.5, 3.5], [inner_width - 3.5, inner_depth - 3.5],
         pick([3.5, inner_depth - 3.5], [3.5, 71.5])];

// --- The rest follows ---------------------------------------------------------------------------

$fn = 40;
slack = 0.3;

function pick(zero, b) = model == "zero" ? zero : b;

// The Pi lies turned by half a turn, so that its sockets look to the back.
function on_board(at) = [board_x + board[0] - at[0], board_y + board[1] - at[1]];

// The holes of the reader, whose pins are on the right.
function reader_holes() = [
    for (side = [-1, 1], end = [0, 1]) [
        reader_x + (end == 0 ? reader_hole_insets[0] - reader[0] / 2
                             : reader[0] / 2 - reader_hole_insets[1]),
        row_reader + side * reader_hole_gaps[end] / 2
    ]
];

function button_x(number) = inner_width / 2 + (number - 1.5) * button_pitch;

clip_x = oled[0] / 2 + 4.7;  // from the middle of the display to the screws of its clip
clip_post = oled_glass + oled_board + 0.8;

if (part == "base") base();
else if (part == "lid") turned() lid();
else if (part == "clip") clip();
else if (part == "closed") {
    color("#5b7f95") base();
    translate([0, 0, inner_height]) {
        color("#e8ebef") lid();
        color("#333333") marks(0.01);
        lid_parts();
    }
} else {
    color("#5b7f95") base();
    base_parts();
    translate([inner_width + 25, 0, 0]) turned() {
        color("#c9d3dc") lid();
        lid_parts();
    }
}

// As it is printed: the upper side down.
module turned() {
    translate([0, inner_depth, roof]) rotate([180, 0, 0]) children();
}

// --- Base ---------------------------------------------------------------------------------------

module base() {
    difference() {
        union() {
            difference() {
                translate([0, 0, -floor_thickness]) outer(floor_thickness + inner_height);
                inner(inner_height + 1);
            }
            for (at = posts) translate([0, 0, -1]) column(at, post, inner_height + 1);
            for (at = board_holes) translate([0, 0, -1]) column(on_board(at), 6, standoff + 1);
        }
        for (at = posts) translate([at[0], at[1], inner_height - 14]) cylinder(d = lid_pilot, h = 15);
        for (at = board_holes) translate([0, 0, -1]) column(on_board(at), pilot, standoff + 2);
        back_openings();
        end_opening();
        cable_slot();
        vents();
    }
}

// Sockets begin at the upper side of the board.
module back_openings() {
    for (socket = sockets)
        translate([on_board(socket)[0] - socket[1] / 2, inner_depth - 1,
                   standoff + board_thickness + 1.5 - 4.5])
            cube([socket[1], wall + 2, socket[2]]);
}

module end_opening() {
    if (end_sockets > 0)
        translate([-wall - 1, board_y + 2, standoff - 0.5])
            cube([wall + 2, board[1] - 4, board_thickness + end_sockets]);
}

// For the wires of a hub or of lights; open at the top, so that plugs need not pass through.
module cable_slot() {
    translate([inner_width - 26, inner_depth - 1, inner_height - 6]) cube([12, wall + 2, 7]);
}

module vents() {
    for (n = [0:5])
        translate([board_x + board[0] / 2 - 20 + n * 8 - 1, board_y + 6, -floor_thickness - 1])
            cube([2, board[1] - 12, floor_thickness + 2]);
}

// --- Lid ----------------------------------------------------------------------------------------

// Its lower side is at z = 0.
module lid() {
    difference() {
        union() {
            outer(roof);
            lip();
            for (at = reader_holes()) translate([0, 0, -reader_gap]) column(at, 6.5, reader_gap + 1);
            oled_frame();
            for (side = [-1, 1])
                translate([0, 0, -clip_post])
                    column([oled_x + side * clip_x, row_reader], 6, clip_post + 1);
        }
        reader_roof();
        for (at = reader_holes()) translate([0, 0, -reader_gap - 1]) column(at, pilot, reader_gap + 1.6);
        oled_opening();
        for (side = [-1, 1])
            translate([0, 0, -clip_post - 1]) column([oled_x + side * clip_x, row_reader], pilot, clip_post + 1.6);
        for (number = [0:3])
            translate([0, 0, -1]) column([button_x(number), row_buttons], button_hole, roof + 2);
        for (at = posts) screw_hole(at);
        marks(1);
    }
}

// Keeps the lid in its place. It leaves room for the posts, the cables and the nuts.
module lip() {
    difference() {
        translate([0, 0, -3]) linear_extrude(3.5) difference() {
            offset(-slack) rounded();
            offset(-slack - 1.4) rounded();
        }
        for (at = posts) translate([at[0] - 6, at[1] - 6, -4]) cube([12, 12, 4]);
        translate([inner_width - 27, inner_depth - 4, -4]) cube([14, 5, 4]);
    }
}

// The roof is thinner over the antenna, but for the feet of the posts.
module reader_roof() {
    difference() {
        translate([reader_x - reader[0] / 2 + 1, row_reader - reader[1] / 2 + 1, -0.5])
            cube([reader[0] - 2, reader[1] - 2, roof - thin_roof + 0.5]);
        for (at = reader_holes()) translate([0, 0, -1]) column(at, 6.5, roof + 1);
    }
}

module oled_frame() {
    translate([oled_x, row_reader, -oled_glass - oled_board])
        linear_extrude(oled_glass + oled_board + 0.5) difference() {
            square(oled + [2.4 + slack, 2.4 + slack], center = true);
            square(oled + [slack, slack], center = true);
        }
}

// Wider at the top, so that the picture can be seen from the side.
module oled_opening() {
    translate([oled_x + oled_window_shift[0], row_reader + oled_window_shift[1], 0]) hull() {
        translate([0, 0, -1]) linear_extrude(1.2) square(oled_window, center = true);
        translate([0, 0, roof]) linear_extrude(0.1)
            square(oled_window + [2 * roof, 2 * roof], center = true);
    }
}

module screw_hole(at) {
    translate([at[0], at[1], -1]) {
        cylinder(d = lid_hole, h = roof + 2);
        translate([0, 0, roof + 1 - 1.6]) cylinder(d1 = lid_hole, d2 = lid_head, h = 1.61);
    }
}

// What is pressed, and where to lay a card.
module marks(above) {
    translate([0, 0, roof - 0.4]) linear_extrude(0.4 + above) {
        y = row_buttons + button_room + 2;
        translate([button_x(0), y]) rotate(90) circle(2.6, $fn = 3);
        translate([button_x(1), y]) rotate(-90) circle(2.6, $fn = 3);
        translate([button_x(2), y]) circle(2);
        translate([button_x(3), y]) rotate(180) circle(2.6, $fn = 3);
        translate([reader_x - reader[0] / 2 + 20, row_reader]) card();
    }
}

// A card on its antenna.
module card() {
    difference() {
        offset(3) square([28, 28], center = true);
        offset(2.2) square([28, 28], center = true);
    }
    for (r = [4, 8, 12]) intersection() {
        difference() {
            translate([-6, 0]) circle(r + 0.8);
            translate([-6, 0]) circle(r);
        }
        translate([-6, 0]) polygon([[0, 0], [20, 14], [20, -14]]);
    }
}

// --- Clip ---------------------------------------------------------------------------------------

// Presses the display against the roof by the edges of its board, whatever holes that has.
module clip() {
    difference() {
        union() {
            translate([-clip_x - 3.5, -4, 0]) cube([2 * clip_x + 7, 8, 2.4]);
            for (side = [-1, 1]) translate([side * (oled[0] / 2 - 1) - 1, -4, 0]) cube([2, 8, 3.2]);
        }
        for (side = [-1, 1]) translate([side * clip_x, 0, -1]) cylinder(d = 2.8, h = 5);
    }
}

// --- What goes inside, for the pictures -------------------------------------------------------------

module base_parts() {
    color("#2f7d4f") translate([board_x, board_y, standoff])
        cube([board[0], board[1], board_thickness]);
    color("#222222") translate([on_board([58, 0])[0], on_board([0, board[1] - 1])[1],
                                standoff + board_thickness])
        cube([51, 5, 8.5]);
}

module lid_parts() {
    color("#2a5db0") translate([reader_x - reader[0] / 2, row_reader - reader[1] / 2, -reader_gap - 1.6])
        cube([reader[0], reader[1], 1.6]);
    color("#222222") translate([oled_x - oled[0] / 2, row_reader - oled[1] / 2, -oled_glass - oled_board])
        cube([oled[0], oled[1], oled_board]);
    color("#c9a13b") translate([oled_x, row_reader, -clip_post]) rotate([180, 0, 0]) clip();
    color("#b03a3a") for (number = [0:3])
        translate([0, 0, -18]) {
            column([button_x(number), row_buttons], 11.8, 20);
            translate([0, 0, 20]) column([button_x(number), row_buttons], 14, 2);
            translate([0, 0, 22]) column([button_x(number), row_buttons], 8, 3);
        }
}

// --- Shapes -------------------------------------------------------------------------------------

module rounded() {
    translate([corner, corner])
        offset(corner) square([inner_width - 2 * corner, inner_depth - 2 * corner]);
}

module inner(h) { linear_extrude(h) rounded(); }

module outer(h) { linear_extrude(h) offset(wall) rounded(); }

module column(at, d, h) { translate([at[0], at[1], 0]) cylinder(d = d, h = h); }
